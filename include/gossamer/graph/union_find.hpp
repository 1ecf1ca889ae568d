// Union-find that any number of threads use at once: lock-free union by smaller id with path
// halving (Anderson and Woll, STOC 1991; the link step as in Afforest: Sutton, Ben-Nun, Barak,
// IPDPS 2018).
//
// root[v] is a vertex of v's component, at first v. It is only ever replaced by a smaller one of
// the same component, so chains have no cycles whatever the interleaving, and in the end a
// component's root is its smallest vertex: the schedule cannot show. Relaxed operations suffice,
// since parents are the only shared data and a stale one is still a member of the component.
#pragma once

#include <algorithm>
#include <atomic>

namespace gossamer {

/// Joins the components of u and v.
template <class Id>
void join(Id* root, Id u, Id v) {
  const auto load = [&](Id i) { return std::atomic_ref(root[i]).load(std::memory_order_relaxed); };
  Id a = load(u), b = load(v);
  while (a != b) {
    const Id high = std::max(a, b), low = std::min(a, b);
    Id above = load(high);
    if (above == low) return;
    if (above == high &&
        std::atomic_ref(root[high]).compare_exchange_strong(above, low, std::memory_order_relaxed))
      return;
    a = load(load(high));
    b = load(low);
  }
}

/// Lets root[v] be the root, or what was one while others join components. Others may do the same:
/// a parent read late is only nearer to the root. Two threads must not do it for one v while
/// components are joined, nor may v be a root that another thread replaces by a plain store.
template <class Id>
void compress(Id* root, Id v) {
  const auto load = [&](Id i) { return std::atomic_ref(root[i]).load(std::memory_order_relaxed); };
  for (;;) {
    const Id up = load(v), over = load(up);
    if (up == over) return;
    std::atomic_ref(root[v]).store(over, std::memory_order_relaxed);
  }
}

}  // namespace gossamer
