// Warp-level pieces of the BFS kernels: what all folders share, and the report at a kernel's end.
#pragma once

#include "algorithm/bfs/cuda/level_view.hpp"
#include "gossamer/dataflow/worklist/cuda/warp.cuh"

namespace gossamer::bfs_detail::cuda {

using dataflow::cuda::add_of_warp;
using dataflow::cuda::inclusive_sum;
using dataflow::cuda::lane_id;
using dataflow::cuda::lanes_below;
using dataflow::cuda::row_of_arc;
using dataflow::cuda::warp_queue;
using dataflow::cuda::whole_warp;

/// The last block of the grid to come here writes the report and clears the counters. All threads
/// of all blocks call it once, after their last atomics. The fence before the ticket makes a
/// block's additions visible before it counts as finished; the system fence orders the report's
/// numbers before its sequence number, which the host polls.
template <class Id>
__device__ inline void report_level(const level_view<Id>& v, reporting what,
                                    unsigned long long sequence) {
  if (what == reporting::none) return;
  __threadfence();
  __syncthreads();
  if (threadIdx.x != 0) return;
  if (atomicAdd(&v.count->ticket, 1u) != gridDim.x - 1) return;
  __threadfence();
  if (what == reporting::mail) {
    for (int d = 0; d < v.own.ranks; ++d) {
      v.mail[d] = static_cast<long long>(__ldcg(v.outbox_count + d));
      v.outbox_count[d] = 0;
    }
  } else {
    v.out->vertices = static_cast<long long>(__ldcg(&v.count->tail));
    v.out->arcs = static_cast<long long>(__ldcg(&v.count->arcs));
    v.count->tail = 0;
    v.count->arcs = 0;
  }
  v.count->hubs = 0;
  v.count->ticket = 0;
  __threadfence_system();
  *static_cast<volatile unsigned long long*>(&v.out->sequence) = sequence;
}

}  // namespace gossamer::bfs_detail::cuda
