// Levels of a few arcs, run by one warp: there is nobody to agree with. A level is one chain, of
// the row of a vertex, the bits of its neighbours, and a place in shared memory.
//
// Only this warp works, so that bits need no atomics: the first-level cache keeps them and rows,
// and neighbours in number share its lines. A path's level takes a tenth of what a narrow one does.
#pragma once

#include "algorithm/bfs/cuda/warp.cuh"
#include "algorithm/bfs/single_kernel/cuda/packed_row.cuh"
#include "algorithm/bfs/single_kernel/cuda/view.hpp"

namespace gossamer::bfs_detail::cuda {

struct thin_memory {
  std::int32_t frontier[thin_arcs];
};

template <class Id>
class thin_levels {
 public:
  __device__ thin_levels(const search_view<Id>& v, thin_memory& m) : v_(v), m_(m) {}

  /// One warp. Runs from the frontier of s.queued vertices in v.queue[s.which], thin_vertices at
  /// most. Ends when no vertex is left, there are too many, or the level log is full; then the
  /// frontier lies there, with results. Adds to `sums`.
  __device__ void run(const search_state& s, long long first_logged, level_sums* sums) {
    const int lane = static_cast<int>(lane_id());
    std::int32_t* queue = v_.queue[s.which];
    int n = static_cast<int>(s.queued);
    if (lane < n) m_.frontier[lane] = __ldcg(queue + lane);
    level_entry* log = v_.log + (s.level - first_logged);
    const auto room = static_cast<int>(logged_levels - (s.level - first_logged));
    const clocks begin = clocks::now();
    int level = 0;  // since the start
    while (n != 0 && n <= thin_vertices && level < room) {
      const int found = expand(n, static_cast<std::int32_t>(s.level + level + 1));
      if (found < 0) break;
      if (lane == 0)
        log[level] = {2 * static_cast<unsigned long long>(n),
                      static_cast<unsigned long long>(clock64())};
      n = found;
      ++level;
    }
    date(log, level, begin);
    for (int i = lane; i < n; i += 32) queue[i] = m_.frontier[i];
    if (lane != 0) return;
    atomicAdd(&sums->queued, static_cast<unsigned long long>(n));
    atomicAdd(&sums->levels, static_cast<unsigned long long>(level));
  }

 private:
  /// The multiprocessor's clock, which is read in no time, and the device's.
  struct clocks {
    long long own;
    unsigned long long device;
    __device__ static clocks now() { return {clock64(), device_detail::global_timer()}; }
  };
  /// Entries of the log have the multiprocessor's clock, and get the device's. `begin`: lane 0's,
  /// as all are, so that times ascend.
  __device__ static void date(level_entry* log, int levels, clocks begin) {
    __syncwarp();
    const clocks end = clocks::now();
    const auto passed = static_cast<double>(end.own - begin.own);
    double rate = passed > 0 ? static_cast<double>(end.device - begin.device) / passed : 0;
    rate = __shfl_sync(whole_warp, rate, 0);
    begin.own = __shfl_sync(whole_warp, begin.own, 0);
    begin.device = __shfl_sync(whole_warp, begin.device, 0);
    for (int i = static_cast<int>(lane_id()); i < levels; i += 32) {
      const auto since = static_cast<double>(static_cast<long long>(log[i].ended) - begin.own);
      log[i].ended = begin.device + static_cast<unsigned long long>(since * rate);
    }
  }

  /// A row as search_view::packed has it.
  __device__ int4 row_of(std::int32_t vertex) const {
    if (v_.packed != nullptr) return __ldg(v_.packed + vertex);
    const edge_offset begin = v_.offsets[vertex];
    const auto arcs = static_cast<int>(v_.offsets[vertex + std::int64_t{1}] - begin);
    return row_elsewhere(begin, arcs);
  }
  __device__ static int arcs_in(const int4& row) {
    if (is_elsewhere(row)) return row.w;
    if (is_near(row)) return near_arcs;
    return (row.x >= 0) + (row.y >= 0) + (row.z >= 0) + (row.w >= 0);
  }

  /// The next frontier takes the place of the `n` vertices. Its size; -1: left as it was, since
  /// there are too many arcs.
  __device__ int expand(int n, std::int32_t depth) {
    const int lane = static_cast<int>(lane_id());
    __syncwarp();
    const std::int32_t vertex = lane < n ? m_.frontier[lane] : -1;
    const int4 row = vertex >= 0 ? row_of(vertex) : int4{-1, -1, -1, -1};
    const int mine = arcs_in(row);
    const bool single = n == 1;  // no need to join rows
    const int up_to = single ? mine : inclusive_sum(mine);
    const int total = __shfl_sync(whole_warp, up_to, single ? 0 : 31);
    if (total > thin_arcs) return -1;
    __syncwarp();
    int found = 0;
    for (int first = 0; first < total; first += 32) {
      const int j = first + lane;
      const int of = single ? 0 : dataflow::cuda::row_of_arc(up_to, j);
      const std::int32_t parent = __shfl_sync(whole_warp, vertex, of);
      const int before = single ? 0 : __shfl_sync(whole_warp, up_to - mine, of);
      const std::int32_t to = arc_of(row, parent, of, j - before, j < total);
      const bool fresh = claim(to);
      if (fresh) {
        v_.parents[to] = static_cast<Id>(parent);
        v_.depths[to] = depth;
      }
      const unsigned who = __ballot_sync(whole_warp, fresh);
      if (fresh) m_.frontier[found + __popc(who & lanes_below())] = to;
      found += __popc(who);
    }
    return found;
  }
  /// Where arc k of `vertex` leads, whose row lane `of` has, when `there`; else -1. Whole warps.
  __device__ std::int32_t arc_of(const int4& row, std::int32_t vertex, int of, int k,
                                 bool there) const {
    const int4 r = {__shfl_sync(whole_warp, row.x, of), __shfl_sync(whole_warp, row.y, of),
                    __shfl_sync(whole_warp, row.z, of), __shfl_sync(whole_warp, row.w, of)};
    if (!there) return -1;
    if (is_near(r)) return near_arc(r, vertex, k);
    if (!is_elsewhere(r)) return k == 0 ? r.x : k == 1 ? r.y : k == 2 ? r.z : r.w;
    return static_cast<std::int32_t>(v_.columns[first_arc_of(r) + k]);
  }
  /// Whether this lane is the first to reach `to`, if there is one. Whole warps.
  __device__ bool claim(std::int32_t to) {
    const std::uint32_t bit = 1u << (to & 31);
    const std::uint32_t word = to >= 0 ? v_.seen[to >> 5] : ~0u;
    const bool open = (word & bit) == 0;
    const unsigned who = __ballot_sync(whole_warp, open);
    bool fresh = open;
    if (open) {
      const int lane = static_cast<int>(lane_id());
      fresh = __ffs(static_cast<int>(__match_any_sync(who, to))) - 1 == lane;
      const unsigned beside = __match_any_sync(who, to >> 5);
      const std::uint32_t bits = __reduce_or_sync(beside, bit);
      if (__ffs(static_cast<int>(beside)) - 1 == lane) v_.seen[to >> 5] = word | bits;
    }
    __syncwarp();
    return fresh;
  }

  const search_view<Id>& v_;
  thin_memory& m_;
};

}  // namespace gossamer::bfs_detail::cuda
