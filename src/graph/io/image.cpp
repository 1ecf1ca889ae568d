// Mapping files, or holding what a decompressor yields.
#include "graph/io/image.hpp"

#include <algorithm>

namespace gossamer::io {
namespace {

byte_image hold(byte_source& source, const read_context& context) {
  // Grows by doubling: the length of a compressed file's contents is not known, nor believed.
  shared_array<char> buffer(1 << 16);
  std::size_t used = 0;
  while (true) {
    const std::size_t room = buffer.size() - used;
    const std::size_t got = source.read(buffer.data() + used, room);
    used += got;
    context.tick(source.raw_position(), source.raw_size(), 0);
    if (got < room) break;
    const std::size_t larger = buffer.size() * 2;
    read_plan plan = context.csr_plan(0, 0, 0, static_cast<std::int64_t>(larger));
    context.refuse_if_over(plan);
    shared_array<char> next(larger);
    std::memcpy(next.data(), buffer.data(), used);
    buffer = std::move(next);
  }
  return {{buffer.data(), used}, buffer.owner(), true};
}

}  // namespace

byte_image load_image(const std::string& path, const read_context& context) {
  {
    auto probe = file_source(path);
    char head[6];
    const std::size_t got = probe->read(head, sizeof(head));
    if (detect_compression({head, got}) != compression::none || probe->raw_size() == 0) {
      auto source = decompressing(file_source(path), path);
      return hold(*source, context);
    }
  }
  return map_file(path);
}

byte_image load_image(std::span<const char> bytes, const read_context& context) {
  if (detect_compression(bytes) == compression::none) return {bytes, nullptr, false};
  auto source = decompressing(memory_source(bytes), context.path);
  return hold(*source, context);
}

}  // namespace gossamer::io
