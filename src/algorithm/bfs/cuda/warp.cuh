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

/// f(vertex, arc, there) for the arcs of the rows of the warp's lanes, each of `length` arcs from
/// `begin` on: one arc a lane, whole warps. Those of the last round may be none.
template <class F>
__device__ __forceinline__ void each_joined_arc(std::int32_t vertex, edge_offset begin, int length,
                                                const F& f) {
  const int up_to = inclusive_sum(length);
  const int total = __shfl_sync(whole_warp, up_to, 31);
  const edge_offset base = begin - (up_to - length);  // arc j of the warp is base + j in its row
  for (int first = 0; first < total; first += 32) {
    const int j = first + static_cast<int>(lane_id());
    const int row = row_of_arc(up_to, j);
    const edge_offset arc = __shfl_sync(whole_warp, base, row) + j;
    f(__shfl_sync(whole_warp, vertex, row), arc, j < total);
  }
}

/// visit(active, to) for the arcs [begin, end) of one row: 32 at a time, of which those that are
/// maybe_new(to) are active. Several loads of a lane are under way at once.
template <class Id, class New, class Visit>
__device__ __forceinline__ void each_arc_of_chunk(const Id* columns, edge_offset begin,
                                                  edge_offset end, const New& maybe_new,
                                                  const Visit& visit) {
  constexpr int ahead = 4;
  for (edge_offset a = begin; a < end; a += 32 * ahead) {
    Id to[ahead];
    bool active[ahead];
#pragma unroll
    for (int k = 0; k < ahead; ++k) {
      const edge_offset arc = a + k * 32 + lane_id();
      active[k] = arc < end;
      to[k] = active[k] ? columns[arc] : 0;
    }
#pragma unroll
    for (int k = 0; k < ahead; ++k) active[k] = active[k] && maybe_new(to[k]);
#pragma unroll
    for (int k = 0; k < ahead; ++k) visit(active[k], to[k]);
  }
}

/// put(owner, at) for lanes with `remote`, `at` being a place of its own behind count(owner), which
/// grows by one atomic a warp and owner. Whole warps.
template <class Word, class Put>
__device__ __forceinline__ void by_owner(Word* counts, bool remote, int owner, const Put& put) {
  unsigned left = __ballot_sync(whole_warp, remote);
  while (left != 0) {
    const int leader = __ffs(static_cast<int>(left)) - 1;
    const int to = __shfl_sync(whole_warp, owner, leader);
    const bool here = remote && owner == to;
    const unsigned who = __ballot_sync(whole_warp, here);
    Word at = 0;
    if (static_cast<int>(lane_id()) == leader)
      at = atomicAdd(counts + to, static_cast<Word>(__popc(who)));
    at = __shfl_sync(whole_warp, at, leader);
    if (here) put(to, static_cast<std::int64_t>(at) + __popc(who & lanes_below()));
    left &= ~who;
  }
}

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
