// Work memory of CPU engines: blocks that ask for large pages, and lists that are counted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <vector>

#if defined(__linux__)
#include <sys/mman.h>
#endif

#include "gossamer/base/memory_use.hpp"
#include "gossamer/base/shared_array.hpp"

namespace gossamer::algorithm_detail {

/// Uninitialised array. From 1 MiB on it begins at a 2 MiB boundary and large pages are asked for:
/// random access to parents, distances and bitmaps is bound by address translation otherwise.
template <class T>
shared_array<T> make_array(std::size_t n) {
  constexpr std::size_t large = std::size_t{2} << 20;
  const std::size_t bytes = n * sizeof(T);
  if (bytes < large / 2) return shared_array<T>(n);
  const std::size_t whole = (bytes + large - 1) / large * large;
  void* p = std::aligned_alloc(large, whole);
  if (p == nullptr) throw std::bad_alloc();
#if defined(__linux__)
  madvise(p, whole, MADV_HUGEPAGE);
#endif
  return {static_cast<T*>(p), n, shared_array<T>::counted(p, bytes)};
}

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
