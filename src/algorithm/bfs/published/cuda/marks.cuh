// Paper B's two kernels of a level: marks of the frontier's neighbours, and the next frontier from
// own marks and those that came. A third one clears what was sent, which is a memset.
//
// Marks are plain stores, of which any may win: all of a level have the same depth.
#pragma once

#include "algorithm/bfs/cuda/shared_rows.cuh"
#include "algorithm/bfs/published/cuda/marks.hpp"

namespace gossamer::bfs_detail::cuda {

template <class Id>
__global__ void enter_frontier_kernel(level_view<Id> v, std::int64_t source) {
  v.parents[source] = static_cast<Id>(v.own.global(v.me, source));
  v.depths[source] = 0;
  v.next[0] = static_cast<std::int32_t>(source);
}

/// One thread a vertex of the frontier, whose rows the block shares out.
template <class Id>
__global__ void __launch_bounds__(block_threads)
    mark_kernel(level_view<Id> v, std::int64_t n, outgoing_marks to) {
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * block_threads + threadIdx.x;
  row_left mine{0, 0, 0, 0};
  if (i < n) {
    mine.u = v.next[i];
    mine.at = v.offsets[mine.u];
    mine.end = v.offsets[mine.u + 1];
  }
  add_of_warp(&v.count->arcs, static_cast<unsigned long long>(mine.end - mine.at));
  take_rows<false>(mine, [&](edge_offset a, std::int64_t u, std::int64_t) {
    const Id there = v.columns[a];
    const int owner = v.own.owner(there);
    const std::int64_t row = v.own.local(there);
    if (owner != v.me) {
      to.parents[to.first[owner] + row] = static_cast<std::int32_t>(u);
    } else if (v.parents[row] < 0) {
      v.parents[row] = static_cast<Id>(u);
      v.depths[row] = v.depth;
    }
  });
}

/// True when this level found the row; its parent and depth are set then.
template <class Id>
__device__ inline bool merge_row(const level_view<Id>& v, const std::int32_t* inbox,
                                 std::int64_t row) {
  const Id own = v.parents[row];
  if (own >= 0) {
    if (v.depths[row] != v.depth) return false;
    v.parents[row] = static_cast<Id>(v.own.global(v.me, own));
    return true;
  }
  for (int peer = 0; peer < v.own.ranks; ++peer) {
    if (peer == v.me) continue;
    const std::int32_t parent = inbox[peer * v.rows + row];
    if (parent < 0) continue;
    v.parents[row] = static_cast<Id>(v.own.global(peer, parent));
    v.depths[row] = v.depth;
    return true;
  }
  return false;
}

/// A lane a row, whole warps.
template <class Id>
__global__ void __launch_bounds__(block_threads)
    merge_kernel(level_view<Id> v, const std::int32_t* inbox) {
  __shared__ std::int32_t slots[block_warps][warp_queue::capacity];
  warp_queue found(slots[threadIdx.x / 32]);
  const std::int64_t step = static_cast<std::int64_t>(gridDim.x) * block_threads;
  for (std::int64_t row = static_cast<std::int64_t>(blockIdx.x) * block_threads + threadIdx.x;
       row - lane_id() < v.rows; row += step) {
    const bool fresh = row < v.rows && merge_row(v, inbox, row);
    found.push(fresh, static_cast<std::int32_t>(row), v.next, &v.count->tail);
  }
  found.flush(v.next, &v.count->tail);
  report_level(v, reporting::level, 0);  // read at the stream's end: no number to watch for
}

}  // namespace gossamer::bfs_detail::cuda
