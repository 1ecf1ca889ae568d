// Second pass of deterministic runs: among the in-neighbours one level up, the one with the
// smallest id in the caller's numbering. Reads depths of all placed ids, so it depends on nothing
// that the schedule decided. Warps take 32 rows; lanes do short rows alone, the warp long ones.
#pragma once

#include "algorithm/bfs/cuda/warp.cuh"

namespace gossamer::bfs_detail::cuda {

/// Rows up to this length are scanned by one lane.
inline constexpr int lane_row = 16;

/// The better of two candidates: smaller caller's id; -1 = none.
template <class Id>
struct best_parent {
  Id name = -1;  // caller's id
  Id placed = -1;
  __device__ void offer(Id other_name, Id other_placed) {
    if (other_name < 0 || (name >= 0 && name <= other_name)) return;
    name = other_name;
    placed = other_placed;
  }
};

/// `names`: caller's id of each placed id, nullptr when they are the same.
template <class Id>
__global__ void __launch_bounds__(block_threads)
    smallest_parents_kernel(level_view<Id> v, const std::int32_t* all_depths, const Id* names) {
  const std::int64_t row = static_cast<std::int64_t>(blockIdx.x) * block_threads + threadIdx.x;
  const int lane = static_cast<int>(lane_id());
  std::int32_t depth = -1;
  edge_offset begin = 0, end = 0;
  if (row < v.rows) {
    depth = v.depths[row];
    if (depth > 0) {
      begin = v.in_offsets[row];
      end = v.in_offsets[row + 1];
    }
  }
  best_parent<Id> best;
  const bool alone = end - begin <= lane_row;
  if (alone) {
    for (edge_offset a = begin; a < end; ++a) {
      const Id u = v.in_columns[a];
      if (all_depths[u] == depth - 1) best.offer(names == nullptr ? u : names[u], u);
    }
  }
  unsigned left = __ballot_sync(whole_warp, !alone);
  while (left != 0) {
    const int who = __ffs(static_cast<int>(left)) - 1;
    left &= left - 1;
    const edge_offset first = __shfl_sync(whole_warp, begin, who);
    const edge_offset last = __shfl_sync(whole_warp, end, who);
    const std::int32_t above = __shfl_sync(whole_warp, depth, who) - 1;
    best_parent<Id> own;
    for (edge_offset a = first + lane; a < last; a += 32) {
      const Id u = v.in_columns[a];
      if (all_depths[u] == above) own.offer(names == nullptr ? u : names[u], u);
    }
    __syncwarp();
    for (int d = 16; d > 0; d /= 2) {
      const Id name = __shfl_xor_sync(whole_warp, own.name, d);
      const Id placed = __shfl_xor_sync(whole_warp, own.placed, d);
      own.offer(name, placed);
    }
    if (lane == who) best = own;
  }
  if (best.placed >= 0) v.parents[row] = best.placed;
}

}  // namespace gossamer::bfs_detail::cuda
