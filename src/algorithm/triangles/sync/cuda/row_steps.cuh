// Steps that kernels of triangles share.
#pragma once

#include "algorithm/triangles/sync/cuda/share.hpp"

namespace gossamer::triangles_detail::cuda {

inline constexpr unsigned all_lanes = 0xffffffffU;

/// Of `n` ascending names the first that is not below `w`; n: none.
template <class Id>
__device__ inline unsigned position(const Id* names, unsigned n, Id w) {
  unsigned from = 0;
  while (n > 0) {
    const unsigned half = n / 2;
    const bool below = names[from + half] < w;
    from = below ? from + half + 1 : from;
    n = below ? n - half - 1 : half;
  }
  return from;
}

template <class T>
__device__ inline T warp_sum(T value) {
  for (int d = 16; d > 0; d /= 2) value += __shfl_xor_sync(all_lanes, value, d);
  return value;
}

}  // namespace gossamer::triangles_detail::cuda
