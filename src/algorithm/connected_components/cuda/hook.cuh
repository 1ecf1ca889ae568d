// Union-find in a GPU's memory: device twin of graph/union_find.hpp.
//
// A label is only ever replaced by a smaller vertex of the same component, and only a root's by
// compare-and-swap. So a label read late is still a member of the component, and walks look at the
// L1 cache (loads of block scope), which may be as old as the kernel: nearly all labels lead to one
// root, and an L2 slice answers one request for it a clock. Only after a swap that failed do they
// look at L2, or each step of an old chain would cost a swap.
#pragma once

#include <cstdint>
#include <cuda/atomic>

namespace gossamer::components_detail::cuda {

template <class Id>
using label_near = ::cuda::atomic_ref<Id, ::cuda::thread_scope_block>;
template <class Id>
using label_far = ::cuda::atomic_ref<Id, ::cuda::thread_scope_device>;

template <template <class> class Label, class Id>
__device__ inline Id load(const Id* labels, std::int64_t v) {
  return Label<Id>(const_cast<Id*>(labels)[v]).load(::cuda::memory_order_relaxed);
}

/// The root, or what was it a moment ago; changes nothing.
template <template <class> class Label, class Id>
__device__ inline Id root_of(const Id* labels, Id v) {
  Id up = load<Label>(labels, v);
  for (Id at = v; up != at;) {
    at = up;
    up = load<Label>(labels, at);
  }
  return up;
}

/// The same, halving the path: every vertex met points to its grandparent afterwards.
template <template <class> class Label, class Id>
__device__ inline Id halve(Id* labels, Id v) {
  Id at = v, up = load<Label>(labels, at);
  while (up != at) {
    const Id over = load<Label>(labels, up);
    if (over == up) break;
    label_far<Id>(labels[at]).store(over, ::cuda::memory_order_relaxed);
    at = up;
    up = over;
  }
  return up;
}

/// Joins the components of u and v: the larger root is hooked onto the smaller. Ends, since every
/// swap that fails tells a smaller vertex than the one it was tried on.
template <class Id>
__device__ inline void hook(Id* labels, Id u, Id v) {
  Id a = halve<label_near>(labels, u), b = halve<label_near>(labels, v);
  while (a != b) {
    const Id low = a < b ? a : b;
    Id high = a < b ? b : a;
    Id seen = high;
    if (label_far<Id>(labels[high])
            .compare_exchange_strong(seen, low, ::cuda::memory_order_relaxed))
      return;
    a = halve<label_far>(labels, seen);
    b = low;
  }
}

}  // namespace gossamer::components_detail::cuda
