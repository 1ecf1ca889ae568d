// Mapping files, or holding what a decompressor yields.
#include "graph/io/image.hpp"

#include <algorithm>

#include "gossamer/base/mapped_block.hpp"

namespace gossamer::io {
namespace {

byte_image hold(byte_source& source, const read_context& context) {
  // Grows step by step: the length of a compressed file's contents is not known, nor believed.
  const auto block = std::make_shared<mapped_block>();
  std::size_t used = 0;
  while (true) {
    const std::size_t larger = std::max<std::size_t>(1 << 16, block->size() / 4 * 5);
    context.refuse_if_over(context.csr_plan(0, 0, 0, static_cast<std::int64_t>(larger)));
    block->grow(larger);
    const std::size_t room = larger - used;
    const std::size_t got = source.read(block->data() + used, room);
    used += got;
    context.tick(source.raw_position(), source.raw_size(), 0);
    if (got < room) break;
  }
  return {{block->data(), used}, block, true};
}

}  // namespace

byte_image load_image(const std::string& path, const read_context& context) {
  {
    auto probe = file_source(path);
    char head[6];
    const std::size_t got = probe->read(head, sizeof(head));
    if (detect_compression({head, got}) != compression::none || probe->raw_size() == 0) {
      auto source = decompressing(file_source(path), path, context.limit);
      return hold(*source, context);
    }
  }
  return map_file(path);
}

byte_image load_image(std::span<const char> bytes, const read_context& context) {
  if (detect_compression(bytes) == compression::none) return {bytes, nullptr, false};
  auto source = decompressing(memory_source(bytes), context.path, context.limit);
  return hold(*source, context);
}

}  // namespace gossamer::io
