// Bits of a warp's words, seen from the other side.
#pragma once

#include <cstdint>

#include "gossamer/dataflow/worklist/cuda/warp.cuh"

namespace gossamer::distances_detail::cuda {

/// Whole warps: lane i gets the i-th bits of all lanes' words, that of lane j as bit j.
__device__ inline std::uint32_t transposed(std::uint32_t word) {
  std::uint32_t low = 0x0000ffffU;  // bits that stay in lanes without bit `by`
  for (unsigned by = 16; by > 0; by /= 2, low ^= low << by) {
    const std::uint32_t other = __shfl_xor_sync(dataflow::cuda::whole_warp, word, by);
    word = (dataflow::cuda::lane_id() & by) == 0 ? (word & low) | (other & low) << by
                                                 : (word & ~low) | (other >> by & low);
  }
  return word;
}

}  // namespace gossamer::distances_detail::cuda
