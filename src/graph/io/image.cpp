// Mapping files, and holding what a decompressor yields.
#include "graph/io/image.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

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
