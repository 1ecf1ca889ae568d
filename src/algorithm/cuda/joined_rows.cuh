// Rows of a block's vertices, joined: its threads follow all their arcs side by side, so that hubs
// and chains cost what their arcs cost.
#pragma once

#include <cstdint>

#include "gossamer/base/ids.hpp"
#include "gossamer/dataflow/worklist/cuda/warp.cuh"

namespace gossamer::algorithm_detail::cuda {

template <unsigned Threads>
struct joined_rows_memory {
  edge_offset begin[Threads];          ///< of a row
  unsigned long long before[Threads];  ///< arcs of the rows before it
  unsigned long long warp_sums[32];
  unsigned long long arcs;  ///< of them all
};

/// All threads: each brings a row, or one of no arcs behind those that are.
template <unsigned Threads>
__device__ void join_rows(joined_rows_memory<Threads>& of, edge_offset begin,
                          unsigned long long arcs) {
  of.begin[threadIdx.x] = begin;
  const unsigned long long up_to = dataflow::cuda::inclusive_sum(arcs);
  const unsigned warp = threadIdx.x / 32;
  if (dataflow::cuda::lane_id() == 31) of.warp_sums[warp] = up_to;
  __syncthreads();
  unsigned long long below = 0;
  for (unsigned w = 0; w < warp; ++w) below += of.warp_sums[w];
  of.before[threadIdx.x] = below + up_to - arcs;
  if (threadIdx.x == Threads - 1) of.arcs = below + up_to;
  __syncthreads();
}

/// Which of `rows` rows the j-th of all arcs is in: the last that begins at j or before, since
/// those without arcs end before it.
template <unsigned Threads>
__device__ unsigned joined_row(const joined_rows_memory<Threads>& of, unsigned long long j,
                               unsigned rows) {
  unsigned row = 0;
  for (unsigned step = Threads / 2; step > 0; step /= 2)
    if (row + step < rows && of.before[row + step] <= j) row += step;
  return row;
}

}  // namespace gossamer::algorithm_detail::cuda
