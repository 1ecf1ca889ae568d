// Arrays that are accessed at random: blocks that ask for large pages.
#pragma once

#include <cstddef>

#if defined(__linux__)
#include <sys/mman.h>
#endif

#include "gossamer/base/shared_array.hpp"

namespace gossamer {

/// Uninitialised array. From 1.5 MiB on it begins at a 2 MiB boundary and large pages are asked
/// for: random access to parents and bitmaps is bound by address translation otherwise. What is
/// left over is a large page only where it fills three quarters of one: else twenty arrays of 2.02
/// MiB take 80 MiB. Throws capacity_error.
template <class T>
shared_array<T> make_array(std::size_t n) {
  constexpr std::size_t large = std::size_t{2} << 20;
  if (n < large / 4 * 3 / sizeof(T)) return shared_array<T>(n);
  void* p = aligned_elements(large, n, sizeof(T));
  const std::size_t bytes = n * sizeof(T);
#if defined(__linux__)
  madvise(p, (bytes + large / 4) / large * large, MADV_HUGEPAGE);
#endif
  return {static_cast<T*>(p), n, shared_array<T>::counted(p, bytes)};
}

}  // namespace gossamer
