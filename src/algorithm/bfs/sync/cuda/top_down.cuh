// Top-down step: frontier vertices offer themselves as parents to their out-neighbours.
//
// Work is dealt by arcs, not vertices (Merrill, Garland, Grimshaw, PPoPP'12, with warps in place of
// blocks). A warp takes up to 32 frontier vertices and sums their degrees. Its lanes walk the
// concatenated rows 32 arcs at a time; each finds its row by a binary search over the sums held in
// registers. Long rows ("hubs") are only listed; a second kernel cuts them into chunks over the
// whole grid. A vertex is claimed by atomicOr on its bit of `seen`, after a plain look. The look
// saves nearly all atomics, and a stale answer costs one atomic, never a wrong result.
#pragma once

#include "algorithm/bfs/cuda/warp.cuh"

namespace gossamer::bfs_detail::cuda {

/// What a warp carries through its arcs.
struct warp_work {
  warp_queue queue;
  unsigned long long arcs = 0;  // this lane's
};

/// True for the one lane of one GPU that turns the bit on.
__device__ inline bool claim(std::uint32_t* seen, std::int64_t placed) {
  const std::uint32_t bit = 1u << (placed & 31);
  return (atomicOr(seen + (placed >> 5), bit) & bit) == 0;
}
__device__ inline bool maybe_new(const std::uint32_t* seen, std::int64_t placed) {
  return ((__ldcg(seen + (placed >> 5)) >> (placed & 31)) & 1u) == 0;
}

/// Enters local vertex `to`, claimed by this lane when `mine`.
template <class Id>
__device__ inline void enter(const level_view<Id>& v, warp_work& work, bool mine, std::int32_t to,
                             Id parent) {
  if (mine) {
    v.parents[to] = parent;
    v.depths[to] = v.depth;
    work.arcs += static_cast<unsigned long long>(v.offsets[to + std::int64_t{1}] - v.offsets[to]);
  }
  work.queue.push(mine, to, v.next, &v.count->tail);
}

/// Puts (target, parent) into the outbox of the target's owner; one atomic per warp and rank. A
/// segment cannot overflow: `seen` lets a remote vertex pass once in a traversal.
template <class Id>
__device__ inline void post(const level_view<Id>& v, bool remote, int owner, std::int32_t target,
                            Id parent) {
  by_owner(v.outbox_count, remote, owner, [&](int to, std::int64_t at) {
    v.outbox[v.outbox_first[to] + at] = {target, parent};
  });
}

/// One arc a lane: from local vertex `from` to placed id `to`, when `active`.
template <bool Multi, class Id>
__device__ inline void visit(const level_view<Id>& v, warp_work& work, bool active,
                             std::int32_t from, Id to) {
  if (__ballot_sync(whole_warp, active) == 0) return;
  const bool fresh = active && claim(v.seen, to);
  if constexpr (Multi) {
    int owner = v.me;
    std::int32_t local = 0;
    Id parent = 0;
    if (fresh) {
      owner = v.own.owner(to);
      local = static_cast<std::int32_t>(v.own.local(to));
      parent = static_cast<Id>(v.own.global(v.me, from));
    }
    enter(v, work, fresh && owner == v.me, local, parent);
    post(v, fresh && owner != v.me, owner, local, parent);
  } else {
    enter(v, work, fresh, static_cast<std::int32_t>(to), static_cast<Id>(from));
  }
}

template <class Id>
__device__ inline void finish_warp(const level_view<Id>& v, warp_work& work) {
  work.queue.flush(v.next, &v.count->tail);
  add_of_warp(&v.count->arcs, work.arcs);
}

/// Lists the warp's long rows; returns this lane's number of arcs left to expand here.
template <class Id>
__device__ inline int defer_hubs(const level_view<Id>& v, std::int32_t vertex, edge_offset length) {
  const bool hub = length >= hub_arcs;
  const unsigned who = __ballot_sync(whole_warp, hub);
  if (who == 0) return static_cast<int>(length);
  const unsigned long long chunks =
      hub ? static_cast<unsigned long long>((length + chunk_arcs - 1) / chunk_arcs) : 0;
  const unsigned long long up_to = inclusive_sum(chunks);
  unsigned long long at = 0;
  if (lane_id() == 31) {
    at = atomicAdd(&v.count->hubs,
                   (static_cast<unsigned long long>(__popc(who)) << hub_count_bit) + up_to);
  }
  at = __shfl_sync(whole_warp, at, 31);
  if (!hub) return static_cast<int>(length);
  const unsigned long long first = (at & ((1ull << hub_count_bit) - 1)) + up_to - chunks;
  v.hubs[(at >> hub_count_bit) + __popc(who & lanes_below())] =
      first << hub_vertex_bits | static_cast<unsigned long long>(vertex);
  return 0;
}

/// Expands `queue[0 … n)`, `tile` (<= 32) vertices a warp. Small frontiers take small tiles: their
/// time is latency, and more warps make shorter chains. `defer`: rows of hub_arcs and more may
/// occur (else every row is shorter); expand_hubs must follow.
template <class Id, bool Multi>
__global__ void __launch_bounds__(block_threads)
    expand_kernel(level_view<Id> v, const std::int32_t* queue, std::int64_t n, int tile, bool defer,
                  reporting what, unsigned long long sequence) {
  __shared__ std::int32_t slots[block_warps][warp_queue::capacity];
  const int warp = static_cast<int>(threadIdx.x >> 5);
  const int lane = static_cast<int>(lane_id());
  warp_work work{warp_queue(slots[warp])};
  const std::int64_t at =
      (static_cast<std::int64_t>(blockIdx.x) * block_warps + warp) * tile + lane;
  const bool there = lane < tile && at < n;
  std::int32_t vertex = 0;
  edge_offset begin = 0, length = 0;
  if (there) {
    vertex = queue[at];
    begin = v.offsets[vertex];
    length = v.offsets[vertex + std::int64_t{1}] - begin;
  }
  const int mine = defer ? defer_hubs(v, vertex, length) : static_cast<int>(length);
  each_joined_arc(vertex, begin, mine, [&](std::int32_t from, edge_offset arc, bool active) {
    Id to = 0;
    if (active) {
      to = v.columns[arc];
      active = maybe_new(v.seen, to);
    }
    visit<Multi>(v, work, active, from, to);
  });
  finish_warp(v, work);
  report_level(v, what, sequence);
}

/// Expands the listed hubs, one chunk a warp at a time. The list ascends in first chunks, so the
/// hub of a chunk is found by a search with 32 probes a round.
template <class Id, bool Multi>
__global__ void __launch_bounds__(block_threads)
    expand_hubs_kernel(level_view<Id> v, reporting what, unsigned long long sequence) {
  __shared__ std::int32_t slots[block_warps][warp_queue::capacity];
  const int warp = static_cast<int>(threadIdx.x >> 5);
  const int lane = static_cast<int>(lane_id());
  warp_work work{warp_queue(slots[warp])};
  const unsigned long long packed = __ldcg(&v.count->hubs);
  const auto hubs = static_cast<std::int64_t>(packed >> hub_count_bit);
  const auto chunks = static_cast<std::int64_t>(packed & ((1ull << hub_count_bit) - 1));
  const std::int64_t warps = static_cast<std::int64_t>(gridDim.x) * block_warps;
  for (std::int64_t c = static_cast<std::int64_t>(blockIdx.x) * block_warps + warp; c < chunks;
       c += warps) {
    std::int64_t low = 0, high = hubs;  // the hub is in [low, high)
    while (high - low > 1) {
      const std::int64_t step = (high - low + 31) / 32;
      const std::int64_t probe = low + lane * step;
      const bool before =
          probe < high && static_cast<std::int64_t>(v.hubs[probe] >> hub_vertex_bits) <= c;
      const int last = 31 - __clz(static_cast<int>(__ballot_sync(whole_warp, before)));
      low += last * step;
      high = high < low + step ? high : low + step;
    }
    const unsigned long long entry = v.hubs[low];
    const auto from = static_cast<std::int32_t>(entry & ((1ull << hub_vertex_bits) - 1));
    const auto first = static_cast<std::int64_t>(entry >> hub_vertex_bits);
    const edge_offset begin = v.offsets[from] + (c - first) * chunk_arcs;
    const edge_offset row_end = v.offsets[from + std::int64_t{1}];
    const edge_offset end = row_end < begin + chunk_arcs ? row_end : begin + chunk_arcs;
    each_arc_of_chunk(
        v.columns, begin, end, [&](Id to) { return maybe_new(v.seen, to); },
        [&](bool active, Id to) { visit<Multi>(v, work, active, from, to); });
  }
  finish_warp(v, work);
  report_level(v, what, sequence);
}

/// Claims the vertices named in messages. `mail[s]` is rank s's signal counter: level + 1 above bit
/// 40, the number of messages below. A counter of another level (its wait has failed) counts none.
template <class Id>
__global__ void __launch_bounds__(block_threads)
    absorb_kernel(level_view<Id> v, const message<Id>* inbox, const unsigned long long* mail,
                  unsigned long long level_tag, reporting what, unsigned long long sequence) {
  __shared__ std::int32_t slots[block_warps][warp_queue::capacity];
  const int warp = static_cast<int>(threadIdx.x >> 5);
  warp_work work{warp_queue(slots[warp])};
  const std::int64_t step = static_cast<std::int64_t>(gridDim.x) * block_threads;
  for (int s = 0; s < v.own.ranks; ++s) {
    if (s == v.me) continue;
    const unsigned long long word = *static_cast<const volatile unsigned long long*>(mail + s);
    if (word >> 40 != level_tag) continue;
    const auto n = static_cast<std::int64_t>(word & ((1ull << 40) - 1));
    const message<Id>* from = inbox + s * v.rows;
    for (std::int64_t first = (static_cast<std::int64_t>(blockIdx.x) * block_warps + warp) * 32;
         first < n; first += step) {
      const std::int64_t i = first + lane_id();
      std::int32_t target = 0;
      Id parent = 0;
      bool fresh = false;
      if (i < n) {
        target = from[i].target;
        parent = from[i].parent;
        const std::int64_t placed = v.own.global(v.me, target);
        fresh = maybe_new(v.seen, placed) && claim(v.seen, placed);
      }
      enter(v, work, fresh, target, parent);
    }
  }
  finish_warp(v, work);
  report_level(v, what, sequence);
}

}  // namespace gossamer::bfs_detail::cuda
