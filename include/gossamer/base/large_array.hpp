// Arrays that are accessed at random: blocks that ask for large pages.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <new>

#if defined(__linux__)
#include <sys/mman.h>
#endif

#include "gossamer/base/shared_array.hpp"

namespace gossamer {

/// Uninitialised array. From 1 MiB on it begins at a 2 MiB boundary and large pages are asked for:
/// random access to parents and bitmaps is bound by address translation otherwise.
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

}  // namespace gossamer
