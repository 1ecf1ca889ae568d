// Union-find in a GPU's memory: device twin of graph/union_find.hpp.
//
// A label is a smaller vertex of the same component or the vertex itself, which is then a root.
// Only a swap ends a root. So a label read late is still of the component, and the first steps of a
// walk may look at the L1 cache (loads of block scope), which may be as old as the kernel. Nearly
// all labels lead to one root, and an L2 slice answers one request for it a clock. Further steps
// look at L2, where long chains have meanwhile been shortened by other threads.
//
// Nearly all swaps would be of one root as well, and all but one of them would fail: of the lanes
// of a warp that mean the same root one alone tries (docs/design/components.md has the times).
#pragma once

#include <cstdint>
#include <cuda/atomic>

#include "gossamer/dataflow/worklist/cuda/warp.cuh"

namespace gossamer::components_detail::cuda {

/// Labels that one walk reads from L1. Two are what a compressed label takes.
inline constexpr int near_steps = 4;

template <class Id>
__device__ inline Id load_label(const Id* labels, std::int64_t v, bool near) {
  Id& label = const_cast<Id*>(labels)[v];
  if (near)
    return ::cuda::atomic_ref<Id, ::cuda::thread_scope_block>(label).load(
        ::cuda::memory_order_relaxed);
  return ::cuda::atomic_ref<Id, ::cuda::thread_scope_device>(label).load(
      ::cuda::memory_order_relaxed);
}

template <class Id>
__device__ inline void store_label(Id* labels, std::int64_t v, Id label) {
  ::cuda::atomic_ref<Id, ::cuda::thread_scope_device>(labels[v]).store(
      label, ::cuda::memory_order_relaxed);
}

/// The root, or what was it a moment ago; changes nothing.
template <class Id>
__device__ inline Id root_of(const Id* labels, Id v) {
  int left = near_steps;
  Id at = v, up = load_label(labels, at, --left >= 0);
  while (up != at) {
    at = up;
    up = load_label(labels, at, --left >= 0);
  }
  return up;
}

/// The same, halving the path: every vertex met points to its grandparent afterwards.
template <class Id>
__device__ inline Id halve(Id* labels, Id v) {
  int left = near_steps;
  Id at = v, up = load_label(labels, at, --left >= 0);
  while (up != at) {
    const Id over = load_label(labels, up, --left >= 0);
    if (over == up) break;
    store_label(labels, at, over);
    at = up;
    up = over;
  }
  return up;
}

/// labels[v] := the root for each v < `end` of v, v + stride, …, `Count` of them, when nothing is
/// hooked meanwhile. Only v's label is written, so that it is the root in the end; it is written at
/// every step, so that chains that all of their vertices walk shrink to half with each. The walks
/// go on together: each is a chain of reads, and several of them wait at the same time.
template <int Count, class Id>
__device__ inline void compress_labels(Id* labels, std::int64_t v, std::int64_t stride,
                                       std::int64_t end) {
  int left = near_steps;
  Id up[Count], over[Count];
#pragma unroll
  for (int i = 0; i < Count; ++i) {
    const std::int64_t at = v + i * stride;
    up[i] = load_label(labels, at < end ? at : v, left > 0);
  }
  --left;
#pragma unroll
  for (int i = 0; i < Count; ++i) over[i] = load_label(labels, up[i], left > 0);
  for (bool more = true; more;) {
    more = false;
    --left;
#pragma unroll
    for (int i = 0; i < Count; ++i) {
      if (over[i] == up[i]) continue;
      const std::int64_t at = v + i * stride;
      if (at < end) store_label(labels, at, over[i]);
      up[i] = over[i];
      over[i] = load_label(labels, up[i], left > 0);
      more = true;
    }
  }
}

/// labels[high] := low if `high` is a root, returning low; else what its label is. Of lanes of a
/// warp with the same `high` the first one acts for all. Whole warps call; `mine`: with this lane.
template <class Id>
__device__ inline Id swap_root(Id* labels, bool mine, Id high, Id low) {
  using dataflow::cuda::lane_id, dataflow::cuda::whole_warp;
  const unsigned same = __match_any_sync(whole_warp, mine ? high : Id{-1});
  const int first = __ffs(static_cast<int>(same)) - 1;
  Id now = high;
  if (mine && static_cast<int>(lane_id()) == first &&
      ::cuda::atomic_ref<Id, ::cuda::thread_scope_device>(labels[high])
          .compare_exchange_strong(now, low, ::cuda::memory_order_relaxed))
    now = low;
  return __shfl_sync(whole_warp, now, first);
}

/// Joins the components of u and v of each lane that has them (`mine`): the larger root is hooked
/// onto the smaller. Whole warps call. Ends, since a lane whose root was hooked elsewhere is told a
/// smaller vertex than that root.
template <class Id>
__device__ inline void hook(Id* labels, bool mine, Id u, Id v) {
  Id a = 0, b = 0;
  if (mine) {
    a = halve(labels, u);
    b = halve(labels, v);
  }
  while (__any_sync(dataflow::cuda::whole_warp, a != b)) {
    const Id low = a < b ? a : b, high = a < b ? b : a;
    const Id now = swap_root(labels, low != high, high, low);
    a = b = low;
    if (low != high && now != low) a = halve(labels, now);
  }
}

}  // namespace gossamer::components_detail::cuda
