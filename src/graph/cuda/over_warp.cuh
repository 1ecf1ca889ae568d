// What the lanes of a warp found, brought together, and the sizes of grids whose threads stride.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "gossamer/base/check_cuda.hpp"
#include "gossamer/graph/csr.hpp"
#include "graph/cuda/arc_keys.cuh"
#include "graph/cuda/waited_stream.cuh"

namespace gossamer::detail {

/// Words that kernels add to.
using word = unsigned long long;

/// Every lane gets what `join` makes of all lanes' values.
template <class T, class Join>
__device__ T over_warp(T value, const Join& join) {
  for (int away = 16; away > 0; away /= 2) value = join(value, __shfl_xor_sync(~0u, value, away));
  return value;
}
template <class T>
__device__ T sum_over_warp(T value) {
  return over_warp(value, [](T a, T b) { return a + b; });
}
template <class T>
__device__ T most_over_warp(T value) {
  return over_warp(value, [](T a, T b) { return a < b ? b : a; });
}
template <class T>
__device__ T least_over_warp(T value) {
  return over_warp(value, [](T a, T b) { return b < a ? b : a; });
}

/// Blocks of block_threads that fill the current device, at most one for each block of items.
inline unsigned filling_blocks(std::int64_t items) {
  int device = 0, processors = 1;
  GOSSAMER_CHECK_CUDA(cudaGetDevice(&device));
  GOSSAMER_CHECK_CUDA(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
  return static_cast<unsigned>(
      std::min((items + block_threads - 1) / block_threads, std::int64_t{8} * processors));
}

static __global__ void find_longest(const edge_offset* offsets, std::int64_t rows, word* longest) {
  const std::int64_t step = static_cast<std::int64_t>(gridDim.x) * block_threads;
  word most = 0;
  for (std::int64_t r = static_cast<std::int64_t>(blockIdx.x) * block_threads + threadIdx.x;
       r < rows; r += step) {
    const word length = static_cast<word>(offsets[r + 1] - offsets[r]);
    most = length > most ? length : most;
  }
  most = most_over_warp(most);
  if (threadIdx.x % 32 == 0) atomicMax(longest, most);
}

/// Arcs of the longest of `rows` rows, one at least; waited for.
inline std::int64_t longest_row(int ordinal, const edge_offset* offsets, std::int64_t rows,
                                waited_stream& on) {
  const buffer<word> longest(memory_kind::device, ordinal, 1);
  GOSSAMER_CHECK_CUDA(cudaMemsetAsync(longest.data(), 0, sizeof(word), on.native()));
  find_longest<<<filling_blocks(rows), block_threads, 0, on.native()>>>(offsets, rows,
                                                                        longest.data());
  on.wait();
  return static_cast<std::int64_t>(value_at(longest.data(), 0));
}

}  // namespace gossamer::detail
