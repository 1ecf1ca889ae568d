// Union-find in a GPU's memory: device twin of graph/union_find.hpp.
//
// A label is always a smaller vertex of the same component or the vertex itself, a root, and only a
// swap makes a root none. So a label read late is still of the component, and the first steps of
// a walk look at the L1 cache (loads of block scope), which may be as old as the kernel: nearly all
// labels lead to one root, and an L2 slice answers one request for it a clock. Further steps look
// at L2, where long chains have meanwhile been shortened by other threads, and so do walks after a
// swap that failed, or each step of an old chain would cost a swap.
#pragma once

#include <cstdint>
#include <cuda/atomic>

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

/// The same, halving the path: every vertex met points to its grandparent afterwards. At most
/// `left` labels are read from L1.
template <class Id>
__device__ inline Id halve(Id* labels, Id v, int left) {
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

/// Joins the components of u and v: the larger root is hooked onto the smaller. Ends, since every
/// swap that fails tells a smaller vertex than the one it was tried on.
template <class Id>
__device__ inline void hook(Id* labels, Id u, Id v) {
  Id a = halve(labels, u, near_steps), b = halve(labels, v, near_steps);
  while (a != b) {
    const Id low = a < b ? a : b, high = a < b ? b : a;
    Id seen = high;
    if (::cuda::atomic_ref<Id, ::cuda::thread_scope_device>(labels[high])
            .compare_exchange_strong(seen, low, ::cuda::memory_order_relaxed))
      return;
    a = halve(labels, seen, 0);
    b = low;
  }
}

}  // namespace gossamer::components_detail::cuda
