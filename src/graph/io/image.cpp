// Mapping files, and holding what a decompressor yields.
#include "graph/io/image.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

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
      auto source = decompressing(file_source(path), path);
      return hold(*source, context);
    }
  }
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) throw input_error(path + ": cannot be opened: " + std::strerror(errno));
  struct stat info {};
  ::fstat(fd, &info);
  const auto size = static_cast<std::size_t>(info.st_size);
  void* p = size > 0 ? ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd, 0) : MAP_FAILED;
  const int code = errno;
  ::close(fd);
  if (p == MAP_FAILED) throw input_error(path + ": cannot be mapped: " + std::strerror(code));
  std::shared_ptr<void> owner(p, [size](void* q) { ::munmap(q, size); });
  return {{static_cast<const char*>(p), size}, std::move(owner), false};
}

byte_image load_image(std::span<const char> bytes, const read_context& context) {
  if (detect_compression(bytes) == compression::none) return {bytes, nullptr, false};
  auto source = decompressing(memory_source(bytes), context.path);
  return hold(*source, context);
}

}  // namespace gossamer::io
