// shared_array<T>: a contiguous block of T with shared ownership, whoever owns the memory.
//
// A graph's arrays come from the heap, from a mapped file, from NumPy or from a GPU allocation that
// was copied back; algorithms and bindings see one type. Copying shares; nothing is ever copied
// behind the caller's back.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "gossamer/base/error.hpp"
#include "gossamer/base/memory_use.hpp"

namespace gossamer {

/// `n` elements of `size` bytes, from a multiple of `alignment` bytes on, whole; std::free releases
/// them. Throws capacity_error, for numbers whose product no 64 bits hold, too.
inline void* aligned_elements(std::size_t alignment, std::size_t n, std::size_t size) {
  constexpr std::size_t most = std::size_t{1} << 62;
  void* p = n > most / size
                ? nullptr
                : std::aligned_alloc(alignment, (n * size + alignment - 1) / alignment * alignment);
  if (p == nullptr)
    throw capacity_error("host memory: wanted " + std::to_string(n) + " elements of " +
                         std::to_string(size) + " bytes");
  return p;
}

template <class T>
class shared_array {
 public:
  shared_array() = default;

  /// Uninitialised storage for `n` elements (T must be trivial), aligned to 64 bytes. Pages are
  /// first touched by whoever writes them, so that memory stays near its team.
  /// Throws capacity_error.
  explicit shared_array(std::size_t n) : size_(n) {
    if (n == 0) return;
    void* p = aligned_elements(64, n, sizeof(T));
    owner_ = counted(p, n * sizeof(T));
    data_ = static_cast<T*>(p);
  }

  /// `n` elements at `data`, kept alive by `owner`.
  shared_array(T* data, std::size_t n, std::shared_ptr<void> owner)
      : owner_(std::move(owner)), data_(data), size_(n) {}

  /// An owner of `p`, which std::free releases, that counts `bytes` as taken (memory_use.hpp).
  static std::shared_ptr<void> counted(void* p, std::size_t bytes) {
    count_taken(host_account, bytes);
    return {p, [bytes](void* q) {
              count_given_back(host_account, bytes);
              std::free(q);
            }};
  }

  [[nodiscard]] T* data() const noexcept { return data_; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
  [[nodiscard]] T& operator[](std::size_t i) const noexcept { return data_[i]; }
  [[nodiscard]] T* begin() const noexcept { return data_; }
  [[nodiscard]] T* end() const noexcept { return data_ + size_; }
  [[nodiscard]] std::span<T> span() const noexcept { return {data_, size_}; }
  /// What keeps the memory alive; bindings hand it to foreign arrays.
  [[nodiscard]] const std::shared_ptr<void>& owner() const noexcept { return owner_; }
  /// The first `n` elements of the same memory.
  [[nodiscard]] shared_array first(std::size_t n) const { return {data_, n, owner_}; }

 private:
  std::shared_ptr<void> owner_;
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace gossamer
