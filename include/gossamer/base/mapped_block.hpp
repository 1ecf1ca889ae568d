// Memory that is a mapping of its own. An allocator keeps freed blocks for a next time that may not
// come, and no plan has an entry for those.
#pragma once

#include <cstddef>
#include <memory>

#include "gossamer/base/shared_array.hpp"

namespace gossamer {

/// Anonymous memory that goes back to the system with its last owner, and grows without a copy of
/// what is there. It is counted (memory_use.hpp); pages that were never written to take none.
class mapped_block {
 public:
  mapped_block() = default;
  mapped_block(const mapped_block&) = delete;
  mapped_block& operator=(const mapped_block&) = delete;
  ~mapped_block();
  /// To `bytes`, at least as many as there are; data() may change. Throws capacity_error.
  void grow(std::size_t bytes);
  [[nodiscard]] char* data() const noexcept { return data_; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }

 private:
  char* data_ = nullptr;
  std::size_t size_ = 0;
};

/// Uninitialised array for what is taken and given back beside other large arrays. Small ones come
/// from the allocator. Throws capacity_error.
template <class T>
shared_array<T> mapped_array(std::size_t n) {
  constexpr std::size_t small = std::size_t{64} << 10, most = std::size_t{1} << 62;
  if (n <= small / sizeof(T) || n > most / sizeof(T)) return shared_array<T>(n);
  auto block = std::make_shared<mapped_block>();
  block->grow(n * sizeof(T));
  T* const data = reinterpret_cast<T*>(block->data());
  return {data, n, std::move(block)};
}

}  // namespace gossamer
