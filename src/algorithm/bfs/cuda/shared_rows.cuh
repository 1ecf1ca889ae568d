// Rows of a frontier, shared over a block with Merrill's switch of granularity: rows of a block's
// width go to the block, those of a warp's to the warp, the rest is shared out by a scan.
#pragma once

#include "algorithm/bfs/cuda/warp.cuh"

namespace gossamer::bfs_detail::cuda {

/// Arcs that a block takes at a time from rows too short for a warp.
inline constexpr int row_slots = 2 * block_threads;

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

/// A frontier's vertex on its way through the block: what is left of its row.
struct row_left {
  std::int64_t u;
  edge_offset at, end;
  std::int64_t shift;  ///< from an arc's number to a place that is its own
};

/// Rows of a block's width and more: threads that have one compete for the whole block.
template <class Take>
__device__ inline void take_by_block(row_left& mine, const Take& take) {
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
      take(a, row.u, row.shift);
  }
}

/// Rows of a warp's width and more: one after the other, all lanes.
template <class Take>
__device__ inline void take_by_warp(row_left& mine, const Take& take) {
  const bool wide = mine.end - mine.at >= 32;
  for (unsigned left = __ballot_sync(whole_warp, wide); left != 0; left &= left - 1) {
    const int who = __ffs(static_cast<int>(left)) - 1;
    const std::int64_t u = __shfl_sync(whole_warp, mine.u, who);
    const edge_offset at = __shfl_sync(whole_warp, mine.at, who);
    const edge_offset end = __shfl_sync(whole_warp, mine.end, who);
    const std::int64_t shift = __shfl_sync(whole_warp, mine.shift, who);
    for (edge_offset a = at + lane_id(); a < end; a += 32) take(a, u, shift);
  }
  if (wide) mine.at = mine.end;
}

/// The rest: a scan of what the threads have left shares it out evenly.
template <bool Shifted, class Take>
__device__ inline void take_by_scan(const row_left& mine, const Take& take) {
  __shared__ edge_offset arc_of[row_slots];
  __shared__ std::int64_t source_of[row_slots];
  __shared__ std::int64_t shift_of[Shifted ? row_slots : 1];
  const int length = static_cast<int>(mine.end - mine.at);
  int total = 0, done = 0;
  const int first = block_exclusive_sum(length, total);
  for (int begin = 0; begin < total; begin += row_slots) {
    for (; done < length && first + done < begin + row_slots; ++done) {
      arc_of[first + done - begin] = mine.at + done;
      source_of[first + done - begin] = mine.u;
      if constexpr (Shifted) shift_of[first + done - begin] = mine.shift;
    }
    __syncthreads();
    const int here = total - begin < row_slots ? total - begin : row_slots;
    for (int k = static_cast<int>(threadIdx.x); k < here; k += block_threads)
      take(arc_of[k], source_of[k], shift_of[Shifted ? k : 0]);
    __syncthreads();
  }
}

/// take(arc, u, shift) for the arcs of all rows of the block, a row a thread. `Shifted`: else
/// `shift` is nobody's.
template <bool Shifted, class Take>
__device__ inline void take_rows(row_left mine, const Take& take) {
  take_by_block(mine, take);
  take_by_warp(mine, take);
  take_by_scan<Shifted>(mine, take);
}

}  // namespace gossamer::bfs_detail::cuda
