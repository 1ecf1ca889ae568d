// Vectors whose bytes appear in memory_use: lists of CPU engines that grow.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "gossamer/base/memory_use.hpp"

namespace gossamer::algorithm_detail {

/// Of vectors whose bytes appear in memory_use.
template <class T>
struct counted_allocator {
  using value_type = T;
  counted_allocator() = default;
  template <class U>
  explicit counted_allocator(const counted_allocator<U>&) noexcept {}
  T* allocate(std::size_t n) {
    T* p = std::allocator<T>().allocate(n);
    count_taken(host_account, n * sizeof(T));
    return p;
  }
  void deallocate(T* p, std::size_t n) noexcept {
    count_given_back(host_account, n * sizeof(T));
    std::allocator<T>().deallocate(p, n);
  }
  bool operator==(const counted_allocator&) const = default;
};

template <class T>
using counted_vector = std::vector<T, counted_allocator<T>>;

}  // namespace gossamer::algorithm_detail
