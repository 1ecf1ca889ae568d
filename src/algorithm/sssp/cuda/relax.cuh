// A round by all warps: work is dealt by arcs, as in a wide level of breadth-first search
// (bfs/cuda/persistent/wide_top_down.cuh). A warp takes up to 32 vertices and its lanes walk the
// joined rows; long rows are chunks that any warp may take.
#pragma once

#include "algorithm/cuda/row_queue.cuh"
#include "algorithm/sssp/cuda/keys.cuh"

namespace gossamer::sssp_detail::cuda {

using algorithm_detail::cuda::inclusive_sum;
using algorithm_detail::cuda::lane_id;
using algorithm_detail::cuda::long_count_bit;
using algorithm_detail::cuda::long_entry;
using algorithm_detail::cuda::long_vertex_bits;
using algorithm_detail::cuda::row_chunk;
using algorithm_detail::cuda::row_of_arc;
using algorithm_detail::cuda::warp_queue;
using algorithm_detail::cuda::whole_warp;

template <class Distance>
using near_queue = algorithm_detail::cuda::found_rows<search_view<Distance>, round_sums>;

/// What a warp gathers in shared memory before it takes places in the queues.
struct warp_slots {
  std::int32_t near[warp_queue::capacity], far[warp_queue::capacity];
};

template <class Distance>
class wide_round {
 public:
  using key = key_of<Distance>;

  __device__ wide_round(const search_view<Distance>& v, const search_state& s, round_sums* sums,
                        warp_slots& slots, unsigned long long& looks)
      : v_(v),
        s_(s),
        sums_(sums),
        looks_(looks),
        limit_(static_cast<key>(s.limit)),
        queue_(v.queue[s.which]),
        near_mark_(v.near_mark[s.which ^ 1]),
        near_(v, v.queue[s.which ^ 1], sums, slots.near),
        far_(slots.far) {}

  /// All warps of the grid.
  __device__ void run() {
    const std::int64_t warps = std::int64_t{gridDim.x} * team_warps;
    const std::int64_t me = std::int64_t{blockIdx.x} * team_warps + threadIdx.x / 32;
    const auto queued = static_cast<std::int64_t>(s_.queued);
    // Small rounds take small tiles: their time is latency, and more warps make shorter chains.
    std::int64_t tile = (queued + warps - 1) / warps;
    tile = tile < 1 ? 1 : tile > 32 ? 32 : tile;
    for (std::int64_t at = me * tile; at < queued; at += warps * tile) {
      const std::int64_t left = queued - at;
      relax_tile(at, static_cast<int>(left < tile ? left : tile));
    }
    const auto chunks = static_cast<std::int64_t>(s_.longs & ((1ull << long_count_bit) - 1));
    for (std::int64_t c = me; c < chunks; c += warps) relax_chunk(c);
    near_.finish();
    far_.flush(v_.pile[s_.pile] + s_.far, &sums_->far);
  }

 private:
  /// A vertex is taken out of its queue; its distance is the best of all rounds before, and may
  /// still fall in this one, for which it then is in the next queue.
  __device__ key take(std::int32_t vertex) {
    unmark(v_.near_mark[s_.which], vertex);
    return __ldcg(v_.keys + vertex);
  }

  /// One arc a lane, which seemed to shorten; whole warps.
  __device__ void visit(bool active, std::int32_t to, key found) {
    if (active) active = found < __ldcg(v_.keys + to);
    if (__any_sync(whole_warp, active) == 0) return;
    if (active) active = found < atomicMin(v_.keys + to, found);
    const bool near = active && found < limit_;
    near_.add(near && mark(near_mark_, to), to);
    const bool far = active && !near;
    far_.push(far && mark(v_.far_mark, to), to, v_.pile[s_.pile] + s_.far, &sums_->far);
  }

  __device__ void relax_tile(std::int64_t at, int n) {
    const int lane = static_cast<int>(lane_id());
    key distance = 0;
    edge_offset begin = 0;
    int mine = 0;
    if (lane < n) {
      const std::int32_t vertex = __ldcg(queue_ + at + lane);
      begin = v_.offsets[vertex];
      mine = static_cast<int>(v_.offsets[vertex + std::int64_t{1}] - begin);
      distance = take(vertex);
      looks_ += static_cast<unsigned long long>(mine);
    }
    const int up_to = inclusive_sum(mine);
    const int total = __shfl_sync(whole_warp, up_to, 31);
    const edge_offset base = begin - (up_to - mine);  // arc j of the warp is base + j in its row
    for (int first = 0; first < total; first += 32) {
      const int j = first + lane;
      const int row = row_of_arc(up_to, j);
      const edge_offset at_arc = __shfl_sync(whole_warp, base, row) + j;
      const key from = __shfl_sync(whole_warp, distance, row);
      std::int32_t to = 0;
      key found = 0;
      bool active = j < total;
      if (active) {
        const packed_arc<Distance> arc = load_arc(v_.arcs + at_arc);
        to = arc.to;
        found = keys<Distance>::along(from, arc.weight);
        active = found < maybe_stale(v_.keys + to);
      }
      visit(active, to, found);
    }
  }

  __device__ void relax_chunk(std::int64_t c) {
    constexpr int ahead = 4;  // independent loads a lane keeps in flight
    const unsigned long long entry =
        algorithm_detail::cuda::row_of_chunk(queue_, v_.rows, s_.longs, c);
    const auto vertex = static_cast<std::int32_t>(entry & ((1ull << long_vertex_bits) - 1));
    const auto first = static_cast<std::int64_t>(entry >> long_vertex_bits);
    const edge_offset begin = v_.offsets[vertex] + (c - first) * row_chunk;
    const edge_offset row_end = v_.offsets[vertex + std::int64_t{1}];
    const edge_offset end = row_end < begin + row_chunk ? row_end : begin + row_chunk;
    // Each chunk at the distance of its moment: who lowers it meanwhile queues the vertex anew,
    // since the mark of the next queue is another one.
    key from = 0;
    if (lane_id() == 0) {
      from = c == first ? take(vertex) : __ldcg(v_.keys + vertex);
      looks_ += static_cast<unsigned long long>(end - begin);
    }
    from = __shfl_sync(whole_warp, from, 0);
    for (edge_offset a = begin; a < end; a += 32 * ahead) {
      std::int32_t to[ahead];
      key found[ahead];
      bool active[ahead];
#pragma unroll
      for (int k = 0; k < ahead; ++k) {
        const edge_offset at = a + k * 32 + lane_id();
        active[k] = at < end;
        const packed_arc<Distance> arc =
            active[k] ? load_arc(v_.arcs + at) : packed_arc<Distance>{0, 0};
        to[k] = arc.to;
        found[k] = keys<Distance>::along(from, arc.weight);
      }
#pragma unroll
      for (int k = 0; k < ahead; ++k)
        active[k] = active[k] && found[k] < maybe_stale(v_.keys + to[k]);
#pragma unroll
      for (int k = 0; k < ahead; ++k) visit(active[k], to[k], found[k]);
    }
  }

  const search_view<Distance>& v_;
  const search_state& s_;
  round_sums* sums_;
  unsigned long long& looks_;  // this lane's
  const key limit_;
  std::int32_t* queue_;
  std::uint32_t* near_mark_;
  near_queue<Distance> near_;
  warp_queue far_;
};

}  // namespace gossamer::sssp_detail::cuda
