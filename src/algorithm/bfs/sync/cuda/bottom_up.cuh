// Bottom-up step: vertices not yet reached look for a parent in the frontier's bitmap.
//
// A warp owns `batch` (<= 32) words of `seen`, so words of the next bitmap are written whole and
// without atomics on device memory. It first lists the open vertices of its words in shared memory:
// late levels leave one or two in a word, and a lane per bit would idle. Then 32 at a time: every
// lane tests the first arcs of its own row, which is enough for most vertices of a level worth
// running bottom-up; rows still without a parent are searched by the whole warp, one by one.
#pragma once

#include "algorithm/bfs/cuda/warp.cuh"

namespace gossamer::bfs_detail::cuda {

/// Arcs that a lane tests alone.
inline constexpr int lane_arcs = 8;

/// Index, among the 32-bit words of a bitmap over placed ids, of local word w.
template <bool Multi, class Id>
__device__ inline std::int64_t placed_word(const level_view<Id>& v, std::int64_t w) {
  if constexpr (Multi) return v.own.global(v.me, w * 32) >> 5;
  return w;
}

__device__ inline bool in_bitmap(const std::uint32_t* bits, std::int64_t placed) {
  return ((bits[placed >> 5] >> (placed & 31)) & 1u) != 0;
}

/// The first arc in [begin, end) whose column is in the frontier, searched by one lane; else -1.
template <class Id>
__device__ inline Id search_lane(const Id* columns, const std::uint32_t* frontier,
                                 edge_offset begin, edge_offset end) {
  constexpr int ahead = 4;
  for (edge_offset a = begin; a < end; a += ahead) {
    Id u[ahead];
#pragma unroll
    for (int k = 0; k < ahead; ++k) u[k] = a + k < end ? columns[a + k] : Id{-1};
#pragma unroll
    for (int k = 0; k < ahead; ++k) {
      if (u[k] >= 0 && in_bitmap(frontier, u[k])) return u[k];
    }
  }
  return -1;
}

/// The same by a whole warp; begin and end are the same in all lanes, and so is the result.
template <class Id>
__device__ inline Id search_warp(const Id* columns, const std::uint32_t* frontier,
                                 edge_offset begin, edge_offset end) {
  for (edge_offset base = begin; base < end; base += 32) {
    const edge_offset a = base + lane_id();
    const Id u = a < end ? columns[a] : Id{-1};
    const unsigned hits = __ballot_sync(whole_warp, u >= 0 && in_bitmap(frontier, u));
    if (hits != 0) return __shfl_sync(whole_warp, u, __ffs(static_cast<int>(hits)) - 1);
  }
  return -1;
}

template <class Id, bool Multi>
__global__ void __launch_bounds__(block_threads)
    bottom_up_kernel(level_view<Id> v, const std::uint32_t* frontier, std::uint32_t* next,
                     int batch, unsigned long long sequence) {
  __shared__ std::uint16_t open_list[block_warps][32 * 32];
  __shared__ std::uint32_t found_words[block_warps][32];
  const int warp = static_cast<int>(threadIdx.x >> 5);
  const int lane = static_cast<int>(lane_id());
  std::uint16_t* list = open_list[warp];
  std::uint32_t* found = found_words[warp];
  const std::int64_t first =
      (static_cast<std::int64_t>(blockIdx.x) * block_warps + warp) * batch;  // word
  const std::int64_t w = first + lane;
  const bool there = lane < batch && w < words_of(v.rows);
  const std::int64_t placed = there ? placed_word<Multi>(v, w) : 0;
  const std::uint32_t have = there ? v.seen[placed] : ~0u;
  found[lane] = 0;
  std::uint32_t open = ~have;
  const int mine = __popc(open);
  const int up_to = inclusive_sum(mine);
  const int total = __shfl_sync(whole_warp, up_to, 31);
  for (int at = up_to - mine; open != 0; ++at) {
    list[at] = static_cast<std::uint16_t>(lane * 32 + __ffs(static_cast<int>(open)) - 1);
    open &= open - 1;
  }
  __syncwarp();

  unsigned long long arcs = 0;
  for (int from = 0; from < total; from += 32) {
    const bool active = from + lane < total;
    const int entry = active ? list[from + lane] : 0;
    const std::int64_t row = first * 32 + entry;
    const edge_offset begin = active ? v.in_offsets[row] : 0;
    const edge_offset end = active ? v.in_offsets[row + 1] : 0;
    const edge_offset rest = end < begin + lane_arcs ? end : begin + lane_arcs;
    Id parent = search_lane(v.in_columns, frontier, begin, rest);
    unsigned left = __ballot_sync(whole_warp, parent < 0 && rest < end);
    while (left != 0) {
      const int who = __ffs(static_cast<int>(left)) - 1;
      left &= left - 1;
      const Id p = search_warp(v.in_columns, frontier, __shfl_sync(whole_warp, rest, who),
                               __shfl_sync(whole_warp, end, who));
      if (lane == who) parent = p;
    }
    if (parent >= 0) {
      v.parents[row] = parent;
      v.depths[row] = v.depth;
      atomicOr(found + (entry >> 5), 1u << (entry & 31));
      arcs += static_cast<unsigned long long>(
          v.offsets == v.in_offsets ? end - begin : v.offsets[row + 1] - v.offsets[row]);
    }
  }
  __syncwarp();
  std::uint32_t added = 0;
  if (there) {
    added = found[lane];
    next[placed] = added;
    if (added != 0) v.seen[placed] = have | added;
  }
  add_of_warp(&v.count->tail, static_cast<unsigned long long>(__popc(added)));
  add_of_warp(&v.count->arcs, arcs);
  report_level(v, reporting::level, sequence);
}

}  // namespace gossamer::bfs_detail::cuda
