// A top-down level by all blocks. Work is dealt by arcs: a warp takes up to 32 vertices of the
// queue and its lanes walk the joined rows; long rows are chunks that any warp may take (as in
// top_down.cuh, where the method is cited).
#pragma once

#include "algorithm/bfs/single_kernel/cuda/found.cuh"
#include "algorithm/bfs/single_kernel/cuda/peers.cuh"

namespace gossamer::bfs_detail::cuda {

template <class Id, bool Multi>
class wide_top_down {
 public:
  /// `before`: what expand() found, for absorb().
  __device__ wide_top_down(const search_view<Id>& v, const peers_view<Id>& p, const search_state& s,
                           level_sums* sums, std::int32_t* slots, const level_sums& before = {})
      : v_(v),
        p_(p),
        queue_(v.queue[s.which]),
        queued_(static_cast<std::int64_t>(s.queued)),
        longs_(s.longs),
        depth_(static_cast<std::int32_t>(s.level + 1)),
        found_(v, v.queue[s.which ^ 1], sums, slots, before) {}

  __device__ void expand() {
    const std::int64_t warps = std::int64_t{gridDim.x} * team_warps;
    const std::int64_t me = dataflow::cuda::warp_of_grid();
    // Small frontiers take small tiles, and at last parts of rows: their time is latency, and more
    // warps make shorter chains.
    const int parts_a_row = 8 * queued_ <= warps ? 8 : 4 * queued_ <= warps ? 4 : 2;
    if (parts_a_row * queued_ <= warps) {
      if (me < parts_a_row * queued_)
        expand_part(me / parts_a_row, static_cast<int>(me % parts_a_row), parts_a_row);
    } else {
      const std::int64_t share = (queued_ + warps - 1) / warps, tile = share > 32 ? 32 : share;
      for (std::int64_t at = me * tile; at < queued_; at += warps * tile) {
        const std::int64_t left = queued_ - at;
        expand_tile(at, static_cast<int>(left < tile ? left : tile));
      }
    }
    const auto chunks = static_cast<std::int64_t>(longs_ & ((1ull << long_count_bit) - 1));
    const int parts = dataflow::cuda::warps_a_chunk(chunks, warps);
    for (std::int64_t part = me; part < chunks * parts; part += warps)
      expand_chunk(part / parts, static_cast<int>(part % parts), row_chunk / parts);
    // Few vertices are found by few warps.
    if (queued_ < warps)
      found_.finish();
    else
      found_.finish_block();
  }

  /// Enters what other ranks have posted, `meeting` being the one at which they said how much.
  __device__ void absorb(std::uint32_t meeting) {
    const std::int64_t step = std::int64_t{gridDim.x} * team_threads;
    const std::int64_t warp = dataflow::cuda::warp_of_grid() * 32;
    for (int s = 0; s < p_.ranks; ++s) {
      if (s == p_.me) continue;
      const std::uint64_t word = device_detail::load_relaxed(p_.mail.mine + s);
      if (word >> mail_bits != mail_of(meeting, 0) >> mail_bits) continue;  // its rank has failed
      const auto n = static_cast<std::int64_t>(word & ((1ull << mail_bits) - 1));
      const message<Id>* from = p_.inbox.mine + s * v_.rows;
      for (std::int64_t first = warp; first < n; first += step) {
        const std::int64_t i = first + lane_id();
        const bool there = i < n;
        const message<Id> m = there ? from[i] : message<Id>{0, 0};
        const std::int64_t placed = p_.own.global(p_.me, m.target);
        const std::uint32_t bit = 1u << (placed & 31);
        const bool mine = there && (atomicOr(v_.seen + (placed >> 5), bit) & bit) == 0;
        enter(mine, m.target, m.parent);
      }
    }
    found_.finish();
  }

 private:
  __device__ void enter(bool mine, std::int32_t vertex, Id parent) {
    if (mine) {
      v_.parents[vertex] = parent;
      v_.depths[vertex] = depth_;
    }
    found_.add(mine, vertex);
  }

  [[nodiscard]] __device__ bool maybe_new(Id to) const {
    return ((__ldcg(v_.seen + (to >> 5)) >> (to & 31)) & 1u) == 0;
  }
  /// One arc a lane; whole warps.
  __device__ void visit(bool active, std::int32_t from, Id to) {
    if (__any_sync(whole_warp, active) == 0) return;
    const std::uint32_t bit = 1u << (to & 31);
    const bool fresh = active && (atomicOr(v_.seen + (to >> 5), bit) & bit) == 0;
    if constexpr (Multi) {
      int owner = p_.me;
      std::int32_t local = 0;
      Id parent = 0;
      if (fresh) {
        owner = p_.own.owner(to);
        local = static_cast<std::int32_t>(p_.own.local(to));
        parent = static_cast<Id>(p_.own.global(p_.me, from));
      }
      enter(fresh && owner == p_.me, local, parent);
      post(p_, fresh && owner != p_.me, owner, local, parent);
    } else {
      enter(fresh, static_cast<std::int32_t>(to), static_cast<Id>(from));
    }
  }

  __device__ void expand_tile(std::int64_t at, int n) {
    const int lane = static_cast<int>(lane_id());
    std::int32_t vertex = 0;
    edge_offset begin = 0;
    int mine = 0;
    if (lane < n) {
      vertex = __ldcg(queue_ + at + lane);
      begin = v_.offsets[vertex];
      mine = static_cast<int>(v_.offsets[vertex + std::int64_t{1}] - begin);
    }
    each_joined_arc(vertex, begin, mine, [&](std::int32_t from, edge_offset arc, bool active) {
      Id to = 0;
      if (active) {
        to = v_.columns[arc];
        active = maybe_new(to);
      }
      visit(active, from, to);
    });
  }

  /// Every `parts`-th 32 arcs of the i-th row, from the `part`-th on.
  __device__ void expand_part(std::int64_t i, int part, int parts) {
    const std::int32_t from = __ldcg(queue_ + i);
    const edge_offset end = v_.offsets[from + std::int64_t{1}];
    for (edge_offset a = v_.offsets[from] + part * 32; a < end; a += parts * 32) {
      const edge_offset arc = a + lane_id();
      bool active = arc < end;
      Id to = 0;
      if (active) {
        to = v_.columns[arc];
        active = maybe_new(to);
      }
      visit(active, from, to);
    }
  }

  /// Part `part`, of `length` arcs, of chunk c.
  __device__ void expand_chunk(std::int64_t c, int part, int length) {
    const unsigned long long entry = dataflow::cuda::row_of_chunk(queue_, v_.rows, longs_, c);
    const auto from = static_cast<std::int32_t>(entry & ((1ull << long_vertex_bits) - 1));
    const auto first = static_cast<std::int64_t>(entry >> long_vertex_bits);
    const edge_offset begin = v_.offsets[from] + (c - first) * row_chunk + part * length;
    const edge_offset row_end = v_.offsets[from + std::int64_t{1}];
    const edge_offset end = row_end < begin + length ? row_end : begin + length;
    each_arc_of_chunk(
        v_.columns, begin, end, [&](Id to) { return maybe_new(to); },
        [&](bool active, Id to) { visit(active, from, to); });
  }

  const search_view<Id>& v_;
  const peers_view<Id>& p_;
  std::int32_t* queue_;
  const std::int64_t queued_;
  const unsigned long long longs_;
  const std::int32_t depth_;
  found_frontier<Id> found_;
};

}  // namespace gossamer::bfs_detail::cuda
