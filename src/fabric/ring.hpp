// ring: a queue that keeps its memory. It grows by doubling and allocates nothing once it has its
// size, where a deque allocates and frees a block every few elements.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace gossamer {

template <class T>
class ring {
 public:
  ring() = default;
  /// With room for `slots` elements, a power of two.
  explicit ring(std::size_t slots) : slots_(slots) {}
  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] T& operator[](std::size_t i) { return slots_[(first_ + i) & (slots_.size() - 1)]; }
  [[nodiscard]] T& front() { return (*this)[0]; }
  [[nodiscard]] T& back() { return (*this)[size_ - 1]; }
  /// Adds an element and returns it as an earlier one left it, with the memory that one held.
  T& push() {
    if (size_ == slots_.size()) grow();
    ++size_;
    return back();
  }
  void pop() {
    first_ = (first_ + 1) & (slots_.size() - 1);
    --size_;
  }
  void clear() noexcept { first_ = size_ = 0; }

 private:
  void grow() {
    std::vector<T> larger(std::max<std::size_t>(4, 2 * slots_.size()));
    for (std::size_t i = 0; i < size_; ++i) larger[i] = std::move((*this)[i]);
    slots_ = std::move(larger);
    first_ = 0;
  }

  std::vector<T> slots_;  ///< a power of two of them
  std::size_t first_ = 0, size_ = 0;
};

}  // namespace gossamer
