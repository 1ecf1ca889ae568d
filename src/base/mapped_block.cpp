// Grows by mremap(), which moves pages and copies nothing, and counts what it takes as host memory.
#include "gossamer/base/mapped_block.hpp"

#include <sys/mman.h>

#include <cstdint>

#include "gossamer/base/configuration.hpp"
#include "gossamer/base/error.hpp"

namespace gossamer {

mapped_block::~mapped_block() {
  if (data_ == nullptr) return;
  ::munmap(data_, size_);
  count_given_back(host_account, size_);
}

void mapped_block::grow(std::size_t bytes) {
  void* const now = data_ == nullptr ? ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                                              MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
                                     : ::mremap(data_, size_, bytes, MREMAP_MAYMOVE);
  if (now == MAP_FAILED)
    throw capacity_error("host memory: wanted " +
                         configuration::format_bytes(static_cast<std::int64_t>(bytes)));
  count_taken(host_account, bytes - size_);
  data_ = static_cast<char*>(now);
  size_ = bytes;
}

}  // namespace gossamer
