// How a CPU rank runs a stage: templates for the structs that are written of a program's steps
// (python/gossamer/vertex_steps/lowering.py). A stage looks at vertices, gathers along their arcs,
// or pushes along them. Compilers that run when programs do have this file as text, behind
// arithmetic.hpp.
#pragma once

#include "algorithm/vertex_steps/view.hpp"

namespace gs {

using gossamer::steps_detail::step_rows;
using gossamer::steps_detail::step_word;
using view = gossamer::steps_detail::step_view;

template <class T>
inline T* array(const view& g, int which) {
  return static_cast<T*>(g.arrays[which]);
}
/// Arcs that leave an own vertex.
inline long long degree(const view& g, long long v) {
  return g.rows[0].offsets[v - g.first + 1] - g.rows[0].offsets[v - g.first];
}
/// To every copy of an array: here there is one, by id.
template <class T, int>
inline void spread(const view& g, int which, long long v, T value) {
  array<T>(g, which)[v] = value;
}

/// `at` becomes what it and `value` make together, whoever else does that.
template <class S>
inline void join_shared(typename S::value* at, typename S::value value) {
  typename S::value before, after;
  __atomic_load(at, &before, __ATOMIC_RELAXED);
  do {
    after = S::join(before, value);
    if (after == before) return;
  } while (
      !__atomic_compare_exchange(at, &before, &after, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
}

/// The first vertex from `v` on that a mask names, else `end`: many at a time where it names none.
inline long long marked(const bool* mask, long long v, long long end) {
  if (v < end && mask[v]) return v;
  for (unsigned long long some[8]; v + 64 <= end; v += 64) {
    __builtin_memcpy(some, mask + v, 64);
    if ((some[0] | some[1] | some[2] | some[3] | some[4] | some[5] | some[6] | some[7]) != 0) break;
  }
  for (unsigned long long eight = 0; v + 8 <= end; v += 8) {
    __builtin_memcpy(&eight, mask + v, 8);
    if (eight != 0) break;
  }
  while (v < end && !mask[v]) ++v;
  return v;
}

template <class S>
inline void each(const view& g, long long begin, long long end, step_word* out) {
  const S s(g);
  typename S::partial p;
  s(begin, end, p);
  p.store(out);
}

/// f(column, weight) for the arcs of an own vertex.
template <class S, class F>
inline void along(const view& g, long long v, const F& f) {
  const step_rows& rows = g.rows[S::way];
  const auto* const columns = static_cast<const gs_id*>(rows.columns);
  const auto* const weights = static_cast<const gs_weight*>(rows.weights);
  const long long last = rows.offsets[v - g.first + 1];
  for (long long k = rows.offsets[v - g.first]; k < last; ++k)
    f(columns[k], S::weighted ? weights[k] : gs_weight());
}

template <class S>
inline void gather(const view& g, long long begin, long long end) {
  const S s(g);
  auto* const into = array<typename S::value>(g, S::into);
  for (long long v = begin; v < end; ++v) {
    typename S::value all = S::more ? into[v] : S::start();
    along<S>(g, v, [&](gs_id u, gs_weight weight) { all = S::join(all, s.of(u, weight)); });
    into[v] = all;
  }
}

template <class S>
inline void push(const view& g, long long begin, long long end) {
  const S s(g);
  auto* const into = array<typename S::value>(g, S::into);
  for (long long v = begin; v < end; ++v) {
    if constexpr (S::mask >= 0) {
      v = marked(array<bool>(g, S::mask), v, end);
      if (v == end) break;
    }
    if (!s.sends(v)) continue;
    along<S>(g, v, [&](gs_id u, gs_weight weight) {
      if (g.alone)
        into[u] = S::join(into[u], s.of(v, weight));
      else
        join_shared<S>(into + u, s.of(v, weight));
    });
  }
}

}  // namespace gs
