// Sums over a block, and over the parts that blocks leave, in an order that is always the same.
//
// Deterministic on a fixed grid: each thread adds in index order, a block adds its threads in a
// fixed tree, and one block adds the blocks.
#pragma once

#include <cuda_runtime.h>

namespace gossamer::algorithm_detail::cuda {

inline constexpr int block_size = 256;
inline constexpr int most_blocks = 2048;  ///< partial sums a pass leaves

/// Sum over the block, valid in thread 0; every thread of the block calls.
template <int Threads = block_size>
__device__ double block_sum(double value) {
  __shared__ double warps[Threads / 32];
  for (int step = 16; step > 0; step /= 2) value += __shfl_down_sync(0xffffffffu, value, step);
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = value;
  __syncthreads();
  value = threadIdx.x < Threads / 32 ? warps[threadIdx.x] : 0;
  if (threadIdx.x < 32)
    for (int step = Threads / 64; step > 0; step /= 2)
      value += __shfl_down_sync(0xffffffffu, value, step);
  __syncthreads();  // `warps` may be used again
  return value;
}

/// One block: totals of `sets` groups of `count` partial sums, most_blocks apart, into host memory
/// that the GPU can write.
static __global__ void __launch_bounds__(block_size)
    total_kernel(const double* partial, int count, int sets, double* into) {
  for (int set = 0; set < sets; ++set) {
    double sum = 0;
    for (int i = static_cast<int>(threadIdx.x); i < count; i += block_size)
      sum += partial[set * most_blocks + i];
    sum = block_sum(sum);
    if (threadIdx.x == 0) into[set] = sum;
  }
}

}  // namespace gossamer::algorithm_detail::cuda
