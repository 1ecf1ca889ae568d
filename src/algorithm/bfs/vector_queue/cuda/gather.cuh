// GatherNeighbors: the block shares out its queue entries' rows (cuda/shared_rows.cuh).
//
// What happens to an arc is the view's business: `Sort` false scatters its parent into Vector, true
// appends (row, parent) to the queue of neighbours, where a block reserves its places by one
// atomic.
//
// After a wait that failed the stream runs on over whatever the inbox holds: what is no vertex is
// passed over, and what the queue of neighbours has no room for.
#pragma once

#include "algorithm/bfs/cuda/shared_rows.cuh"
#include "algorithm/bfs/vector_queue/cuda/vector_queue.hpp"

namespace gossamer::bfs_detail::cuda {

template <bool Sort, class Id>
__device__ inline void take_arc(const vector_queue_view<Id>& v, edge_offset a, std::int64_t u,
                                std::int64_t shift) {
  if constexpr (Sort) {  // `shift`: from an arc's number to its place in the queue of neighbours
    v.keys[a + shift] = v.own[a];
    v.values[a + shift] = u;
  } else {
    v.vector[v.own[a]] = u;
  }
}

/// Places in the queue of neighbours for all that the block gathers; nothing, if not for all.
template <class Id>
__device__ inline void reserve_places(const vector_queue_view<Id>& v, row_left& mine) {
  __shared__ unsigned long long base;
  edge_offset total = 0;
  const edge_offset before = block_exclusive_sum(mine.end - mine.at, total);
  if (threadIdx.x == 0)
    base = atomicAdd(&v.tally->neighbours, static_cast<unsigned long long>(total));
  __syncthreads();
  if (base + static_cast<unsigned long long>(total) > static_cast<unsigned long long>(v.room))
    mine.end = mine.at;
  mine.shift = static_cast<std::int64_t>(base) + before - mine.at;
}

/// One thread a queue entry. Several may store into one place of Vector: a store of 8 bytes is
/// whole, and any of the parents will do.
template <bool Sort, class Id>
__global__ void __launch_bounds__(block_threads)
    gather_kernel(vector_queue_view<Id> v, const std::int64_t* queue, std::int64_t n) {
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * block_threads + threadIdx.x;
  row_left mine{0, 0, 0, 0};
  if (i < n && queue[i] >= 0 && queue[i] < v.vertices) {
    mine.u = queue[i];
    mine.at = v.first[mine.u];
    mine.end = v.first[mine.u + 1];
  }
  add_of_warp(&v.tally->arcs, static_cast<unsigned long long>(mine.end - mine.at));
  if constexpr (Sort) reserve_places(v, mine);
  take_rows<Sort>(mine, [&](edge_offset a, std::int64_t u, std::int64_t shift) {
    take_arc<Sort>(v, a, u, shift);
  });
}

}  // namespace gossamer::bfs_detail::cuda
