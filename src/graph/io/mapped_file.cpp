// A mapping keeps its file open: that descriptor, not the path, says what became of it.
#include "gossamer/graph/mapped_file.hpp"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "gossamer/base/input_file.hpp"
#include "graph/io/image.hpp"

namespace gossamer {
namespace {

/// Owner of mapped bytes, and what the file was like.
struct mapping {
  std::string path;
  int file;
  struct stat before;

  void operator()(void* bytes) const {
    ::munmap(bytes, static_cast<std::size_t>(before.st_size));
    ::close(file);
  }
  void check() const {
    struct stat now {};
    if (::fstat(file, &now) != 0) return;
    if (now.st_size != before.st_size)
      throw input_error(path + ": was changed while it was in use: it had " +
                        std::to_string(before.st_size) + " bytes, now " +
                        std::to_string(now.st_size));
    if (now.st_mtim.tv_sec != before.st_mtim.tv_sec ||
        now.st_mtim.tv_nsec != before.st_mtim.tv_nsec)
      throw input_error(path + ": was changed while it was in use");
  }
};

}  // namespace

namespace io {

byte_image map_file(const std::string& path) {
  mapping made{path, open_input(path, "a graph"), {}};
  ::fstat(made.file, &made.before);
  const auto bytes = static_cast<std::size_t>(made.before.st_size);
  void* p = bytes == 0 ? nullptr : ::mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE, made.file, 0);
  if (bytes == 0 || p == MAP_FAILED) {
    const int code = errno;
    ::close(made.file);
    if (bytes == 0) return {};
    throw input_error(path + ": cannot be mapped: " + std::generic_category().message(code));
  }
  return {{static_cast<const char*>(p), bytes}, std::shared_ptr<void>(p, std::move(made)), false};
}

void check_mapped(const std::shared_ptr<void>& owner) {
  if (const auto* file = std::get_deleter<mapping>(owner)) file->check();
}

}  // namespace io

graph_file::graph_file(const graph& g) : arrays_(g.offsets.owner()) {
  check();
}

void graph_file::check() const {
  io::check_mapped(arrays_.lock());
}

}  // namespace gossamer
