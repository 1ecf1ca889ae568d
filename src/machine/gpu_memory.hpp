// What a transport between processes asks about memory and GPUs, whichever CUDA backend the build
// holds. Private to the library.
#pragma once

#include <cstddef>
#include <utility>

#include "gossamer/machine/memory.hpp"

namespace gossamer {

/// Makes GPU `ordinal` the calling thread's own, for good.
void drive_gpu(int ordinal);

/// Host memory made by others (a mapped shared_block, say) that GPU `ordinal` may address at its
/// own address for as long as this lives. Must go before the memory does.
class pinned_range {
 public:
  pinned_range() = default;
  /// Throws capacity_error and foreign_error.
  pinned_range(int ordinal, std::byte* data, std::size_t bytes);
  pinned_range(pinned_range&& other) noexcept : data_(std::exchange(other.data_, nullptr)) {}
  pinned_range& operator=(pinned_range&& other) noexcept {
    std::swap(data_, other.data_);
    return *this;
  }
  ~pinned_range();

 private:
  std::byte* data_ = nullptr;
};

}  // namespace gossamer
