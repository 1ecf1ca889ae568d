// Lanes of a warp: their numbers and sums. Every function here is called by whole warps.
#pragma once

#include <cuda_runtime.h>

namespace gossamer::algorithm_detail::cuda {

inline constexpr unsigned whole_warp = 0xffffffffu;

__device__ inline unsigned lane_id() {
  return threadIdx.x & 31u;
}
__device__ inline unsigned lanes_below() {
  return (1u << lane_id()) - 1u;
}

/// Sum over lanes 0 … own lane.
template <class T>
__device__ inline T inclusive_sum(T value) {
  for (int d = 1; d < 32; d *= 2) {
    const T below = __shfl_up_sync(whole_warp, value, d);
    if (lane_id() >= static_cast<unsigned>(d)) value += below;
  }
  return value;
}

}  // namespace gossamer::algorithm_detail::cuda
