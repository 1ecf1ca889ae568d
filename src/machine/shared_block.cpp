// Makes, maps and frees blocks. One that cannot be opened, or has another size than said, is left
// without data.
#include "machine/shared_block.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>
#include <utility>

#include "gossamer/base/configuration.hpp"
#include "gossamer/base/error.hpp"

namespace gossamer {

namespace {

std::byte* map(int descriptor, std::size_t bytes) {
  void* at = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  return at == MAP_FAILED ? nullptr : static_cast<std::byte*>(at);
}

}  // namespace

shared_block::shared_block(std::size_t bytes) {
  if (bytes == 0) return;
  const int descriptor = memfd_create("gossamer", MFD_CLOEXEC);
  if (descriptor >= 0 && ftruncate(descriptor, static_cast<off_t>(bytes)) == 0)
    data_ = map(descriptor, bytes);
  if (data_ == nullptr) {
    const int why = errno;
    if (descriptor >= 0) close(descriptor);
    throw capacity_error("shared memory of " +
                         configuration::format_bytes(static_cast<std::int64_t>(bytes)) +
                         " could not be made: " + std::generic_category().message(why));
  }
  where_ = {getpid(), descriptor, bytes};
  owner_ = true;
}

shared_block::shared_block(const address& of) : where_(of) {
  if (of.bytes == 0) return;
  const std::string path =
      "/proc/" + std::to_string(of.process) + "/fd/" + std::to_string(of.descriptor);
  const int descriptor = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (descriptor < 0) return;
  // A descriptor of somebody else under that number may be smaller: touching it would be fatal.
  if (lseek(descriptor, 0, SEEK_END) == static_cast<off_t>(of.bytes))
    data_ = map(descriptor, of.bytes);
  close(descriptor);
}

shared_block::~shared_block() {
  if (data_ != nullptr) munmap(data_, where_.bytes);
  if (owner_) close(static_cast<int>(where_.descriptor));
}

void shared_block::swap(shared_block& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(where_, other.where_);
  std::swap(owner_, other.owner_);
}

}  // namespace gossamer
