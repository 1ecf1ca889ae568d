// GatherNeighbors with Merrill's switch of granularity: rows of a block's width go to the block,
// those of a warp's to the warp, the rest is shared out by a scan.
//
// What happens to an arc is the view's business: `Sort` false scatters its parent into Vector, true
// appends (row, parent) to the queue of neighbours, where a block reserves its places by one
// atomic.
#pragma once

#include "algorithm/bfs/cuda/warp.cuh"
#include "algorithm/bfs/vector_queue/cuda/vector_queue.hpp"

namespace gossamer::bfs_detail::cuda {

/// Arcs that a block gathers at a time from rows too short for a warp.
inline constexpr int gather_slots = 2 * block_threads;

/// Sum of `value` over the threads before this one; `total` over all. All threads of the block.
template <class T>
__device__ inline T block_exclusive_sum(T value, T& total) {
  __shared__ T of_warp[block_warps];
  const T up_to = inclusive_sum(value);
  if (lane_id() == 31) of_warp[threadIdx.x / 32] = up_to;
  __syncthreads();
  T before = 0;
  total = 0;
  for (int w = 0; w < block_warps; ++w) {
    if (w < static_cast<int>(threadIdx.x / 32)) before += of_warp[w];
    total += of_warp[w];
  }
  __syncthreads();
  return before + up_to - value;
}

/// A queue entry on its way through the block: what is left of its row.
struct row_left {
  std::int64_t u;
  edge_offset at, end;
  std::int64_t shift;  ///< from an arc's number to its place in the queue of neighbours
};

template <bool Sort, class Id>
__device__ inline void take_arc(const vector_queue_view<Id>& v, edge_offset a, std::int64_t u,
                                std::int64_t shift) {
  if constexpr (Sort) {
    v.keys[a + shift] = v.own[a];
    v.values[a + shift] = u;
  } else {
    v.vector[v.own[a]] = u;
  }
}

/// Rows of a block's width and more: threads that have one compete for the whole block.
template <bool Sort, class Id>
__device__ inline void gather_by_block(const vector_queue_view<Id>& v, row_left& mine) {
  __shared__ int leader;
  __shared__ row_left row;
  while (__syncthreads_or(mine.end - mine.at >= block_threads)) {
    if (mine.end - mine.at >= block_threads) leader = static_cast<int>(threadIdx.x);
    __syncthreads();
    if (leader == static_cast<int>(threadIdx.x)) {
      row = mine;
      mine.at = mine.end;
    }
    __syncthreads();
    for (edge_offset a = row.at + threadIdx.x; a < row.end; a += block_threads)
      take_arc<Sort>(v, a, row.u, row.shift);
  }
}

/// Rows of a warp's width and more: one after the other, all lanes.
template <bool Sort, class Id>
__device__ inline void gather_by_warp(const vector_queue_view<Id>& v, row_left& mine) {
  const bool wide = mine.end - mine.at >= 32;
  for (unsigned left = __ballot_sync(whole_warp, wide); left != 0; left &= left - 1) {
    const int who = __ffs(static_cast<int>(left)) - 1;
    const std::int64_t u = __shfl_sync(whole_warp, mine.u, who);
    const edge_offset at = __shfl_sync(whole_warp, mine.at, who);
    const edge_offset end = __shfl_sync(whole_warp, mine.end, who);
    const std::int64_t shift = __shfl_sync(whole_warp, mine.shift, who);
    for (edge_offset a = at + lane_id(); a < end; a += 32) take_arc<Sort>(v, a, u, shift);
  }
  if (wide) mine.at = mine.end;
}

/// The rest: a scan of what the threads have left shares it out evenly.
template <bool Sort, class Id>
__device__ inline void gather_by_scan(const vector_queue_view<Id>& v, const row_left& mine) {
  __shared__ edge_offset arc_of[gather_slots];
  __shared__ std::int64_t source_of[gather_slots];
  __shared__ std::int64_t shift_of[Sort ? gather_slots : 1];
  const int length = static_cast<int>(mine.end - mine.at);
  int total = 0, done = 0;
  const int first = block_exclusive_sum(length, total);
  for (int begin = 0; begin < total; begin += gather_slots) {
    for (; done < length && first + done < begin + gather_slots; ++done) {
      arc_of[first + done - begin] = mine.at + done;
      source_of[first + done - begin] = mine.u;
      if constexpr (Sort) shift_of[first + done - begin] = mine.shift;
    }
    __syncthreads();
    const int here = total - begin < gather_slots ? total - begin : gather_slots;
    for (int k = static_cast<int>(threadIdx.x); k < here; k += block_threads)
      take_arc<Sort>(v, arc_of[k], source_of[k], shift_of[Sort ? k : 0]);
    __syncthreads();
  }
}

/// Places in the queue of neighbours for all that the block gathers.
template <class Id>
__device__ inline void reserve_places(const vector_queue_view<Id>& v, row_left& mine) {
  __shared__ unsigned long long base;
  edge_offset total = 0;
  const edge_offset before = block_exclusive_sum(mine.end - mine.at, total);
  if (threadIdx.x == 0)
    base = atomicAdd(&v.tally->neighbours, static_cast<unsigned long long>(total));
  __syncthreads();
  mine.shift = static_cast<std::int64_t>(base) + before - mine.at;
}

/// One thread a queue entry. Several may store into one place of Vector: a store of 8 bytes is
/// whole, and any of the parents will do.
template <bool Sort, class Id>
__global__ void __launch_bounds__(block_threads)
    gather_kernel(vector_queue_view<Id> v, const std::int64_t* queue, std::int64_t n) {
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * block_threads + threadIdx.x;
  row_left mine{0, 0, 0, 0};
  if (i < n) {
    mine.u = queue[i];
    mine.at = v.first[mine.u];
    mine.end = v.first[mine.u + 1];
  }
  add_of_warp(&v.tally->arcs, static_cast<unsigned long long>(mine.end - mine.at));
  if constexpr (Sort) reserve_places(v, mine);
  gather_by_block<Sort>(v, mine);
  gather_by_warp<Sort>(v, mine);
  gather_by_scan<Sort>(v, mine);
}

}  // namespace gossamer::bfs_detail::cuda
