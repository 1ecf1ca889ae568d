// The steps of a round as one thread or block does them, among others of a kernel. Each goes
// through a list of edges.
#pragma once

#include "algorithm/spanning_forest/sync/cuda/round_view.hpp"
#include "gossamer/dataflow/worklist/cuda/warp.cuh"

namespace gossamer::spanning_forest_detail::cuda {

using dataflow::cuda::lane_id, dataflow::cuda::lanes_below, dataflow::cuda::whole_warp;

/// Of a block, that writes edges behind each other.
struct append_memory {
  unsigned long long place;
  unsigned count;
};

template <class Sizes, class Id, bool Packed>
class round_steps {
 public:
  using edge_type = edge<Id, Packed>;
  using list_type = edge_list<Id, Packed>;

  __device__ explicit round_steps(const round_view<Id>& of) : of_(of) {}

  /// Every vertex is a component.
  __device__ void begin() {
    for (std::int64_t v = first(); v < of_.vertices; v += threads())
      of_.parent[v] = static_cast<Id>(v);
  }

  /// Every vertex knows its component's name, or is nearer to it.
  __device__ void shorten() {
    for (std::int64_t i = first(); i < of_.vertices; i += threads()) {
      Id v = static_cast<Id>(i);
      find(v);
    }
  }

  /// Each edge lowers the smallest key of both its components. One component may have nearly all
  /// edges, and a long row many: a warp lowers their keys once for all its lanes.
  __device__ void offer(const list_type& of) {
    const Id hub = of_.hub < 0 ? nobody : root_now(static_cast<Id>(of_.hub));
    for (std::int64_t from = first() - lane_id(); from < of.count; from += threads()) {
      const std::int64_t i = from + lane_id();
      Id u = nobody, v = nobody;
      unsigned long long key = ~0ULL;
      if (i < of.count) {
        const edge_type e = of.edges[i];
        u = e.u;
        v = e.v;
        key = e.key;
      }
      offer_once(hub, hub != nobody && (u == hub || v == hub) ? key : ~0ULL);
      const Id row = __shfl_sync(whole_warp, u, 0);
      const bool one_row = __all_sync(whole_warp, u == row) != 0;
      if (one_row) offer_once(row, key);
      if (!one_row && u != hub && u != nobody) lower(of_.lowest + u, key);
      if (v != hub && v != nobody) lower(of_.lowest + v, key);
    }
  }
  /// Where keys are weights: of edges of the smallest weight the smallest arc.
  __device__ void offer_arcs(const list_type& of) {
    if constexpr (!Packed)
      for (std::int64_t i = first(); i < of.count; i += threads()) {
        const edge_type e = of.edges[i];
        if (of_.lowest[e.u] == e.key) lower(of_.nearest + e.u, e.place);
        if (of_.lowest[e.v] == e.key) lower(of_.nearest + e.v, e.place);
      }
  }

  /// The first edge of a component is the forest's, and the component takes the other's name; of
  /// two that have the same first edge the smaller name stays. No longer circle can be: in it some
  /// edge would come before the one behind it, all the way round.
  __device__ void choose(const list_type& of) {
    for (std::int64_t i = first(); i < of.count; i += threads()) {
      const edge_type e = of.edges[i];
      const bool of_u = is_first(e, e.u), of_v = is_first(e, e.v);
      if (!of_u && !of_v) continue;
      if (of_u && (!of_v || e.u > e.v))
        of_.parent[e.u] = e.v;
      else
        of_.parent[e.v] = e.u;
      const std::int64_t arc = e.arc();
      atomicOr(of_.chosen + arc / 32, 1U << (arc % 32));
    }
  }

  /// Edges take their components' names; those between two are written to `to`. `again` is set if
  /// some component's name is too far away: then names are nearer, and what was written is nothing.
  __device__ void drop(const list_type& of, edge_type* to, append_memory& mine) {
    append(of, to, mine, [&](edge_type& e) {
      const bool known_u = find(e.u), known_v = find(e.v), known = known_u && known_v;
      if (!known) of_.counts->again = 1;
      return known && e.u != e.v;
    });
  }
  /// Edges up to `last` are written to `to`.
  __device__ void take_first(const list_type& of, const last_edge& last, edge_type* to,
                             append_memory& mine) {
    append(of, to, mine, [&](const edge_type& e) {
      if constexpr (Packed)
        return e.key <= last.key;
      else
        return e.key < last.key || (e.key == last.key && e.place <= last.place);
    });
  }

 private:
  static constexpr int at_once = Sizes::at_once;
  static constexpr Id nobody = static_cast<Id>(-1);

  __device__ static std::int64_t first() {
    return std::int64_t{blockIdx.x} * Sizes::threads + threadIdx.x;
  }
  __device__ static std::int64_t threads() { return std::int64_t{gridDim.x} * Sizes::threads; }

  /// A warp: the smallest of its lanes' keys, if there is one.
  __device__ void offer_once(Id component, unsigned long long key) const {
    if (!__any_sync(whole_warp, key != ~0ULL)) return;
    for (int d = 16; d > 0; d /= 2) {
      const unsigned long long other = __shfl_xor_sync(whole_warp, key, d);
      if (other < key) key = other;
    }
    if (lane_id() == 0) lower(of_.lowest + component, key);
  }
  /// Most are not smaller, and need no atomic operation.
  __device__ static void lower(unsigned long long* to, unsigned long long key) {
    if (key < __ldcg(to)) atomicMin(to, key);
  }
  __device__ bool is_first(const edge_type& e, Id component) const {
    if constexpr (Packed)
      return of_.lowest[component] == e.key;
    else
      return of_.lowest[component] == e.key && of_.nearest[component] == e.place;
  }

  /// Nothing joins meanwhile.
  __device__ Id root_now(Id v) const {
    for (Id next = of_.parent[v]; next != v; next = of_.parent[v]) v = next;
    return v;
  }
  /// v := the name of its component. Vertices on the way come nearer to it; what others write there
  /// meanwhile is nearer, too, and what a cache has kept is still on the way. False: after many
  /// steps there was no end.
  __device__ bool find(Id& v) {
    const Id from = v;
    for (unsigned step = 0; step < Sizes::most_steps; ++step) {
      const Id next = of_.parent[v];
      if (next == v) return true;
      const Id over = of_.parent[next];
      if (over == next) {
        v = next;
        if (step > 0) of_.parent[from] = v;
        return true;
      }
      of_.parent[v] = over;
      v = over;
    }
    return false;
  }

  /// All threads of the block: edges of the list, of which `keep` may change each, are written
  /// behind each other; one atomic operation for as many as the block takes at once.
  template <class Keep>
  __device__ void append(const list_type& of, edge_type* to, append_memory& mine,
                         const Keep& keep) {
    constexpr std::int64_t piece = std::int64_t{Sizes::threads} * at_once;
    for (std::int64_t from = blockIdx.x * piece; from < of.count; from += gridDim.x * piece) {
      if (threadIdx.x == 0) mine.count = 0;
      __syncthreads();
      edge_type e[at_once];
      unsigned at[at_once];
      bool kept[at_once];
#pragma unroll
      for (int k = 0; k < at_once; ++k) {
        const std::int64_t i = from + std::int64_t{k} * Sizes::threads + threadIdx.x;
        kept[k] = false;
        if (i < of.count) {
          e[k] = of.edges[i];
          kept[k] = keep(e[k]);
        }
        const unsigned who = __ballot_sync(whole_warp, kept[k]);
        unsigned begin = 0;
        if (lane_id() == 0 && who != 0) begin = atomicAdd(&mine.count, __popc(who));
        at[k] = __shfl_sync(whole_warp, begin, 0) + __popc(who & lanes_below());
      }
      __syncthreads();
      if (threadIdx.x == 0 && mine.count > 0)
        mine.place = atomicAdd(&of_.counts->edges, static_cast<unsigned long long>(mine.count));
      __syncthreads();
#pragma unroll
      for (int k = 0; k < at_once; ++k)
        if (kept[k]) to[mine.place + at[k]] = e[k];
    }
  }

  const round_view<Id>& of_;
};

}  // namespace gossamer::spanning_forest_detail::cuda
