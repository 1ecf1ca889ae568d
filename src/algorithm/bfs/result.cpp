// Results: from every rank's part to one array in the caller's numbering.
#include <algorithm>
#include <limits>

#include "gossamer/algorithm/bfs.hpp"
#include "gossamer/machine/memory.hpp"

namespace gossamer {

namespace {

/// A part's array in host memory: itself, or a copy.
template <class T>
shared_array<T> on_host(const bfs_result::part& part, const T* data) {
  if (part.ordinal < 0) {
    return {const_cast<T*>(data), static_cast<std::size_t>(part.rows), part.owner};
  }
  shared_array<T> copy(part.rows);
  copy_bytes(copy.data(), data, part.rows * sizeof(T));
  return copy;
}

/// Calls f(local index, caller's vertex) for every vertex of a part, in parallel.
template <class F>
void each_vertex(const placed_graph& g, const bfs_result::part& part, const F& f) {
  const ownership_view& owners = g.owners().view();
  const int threads = part.rows > 65536 ? host().cores : 1;
  static_cast<void>(threads);
#ifdef _OPENMP
#pragma omp parallel for schedule(static) num_threads(threads) if (threads > 1)
#endif
  for (std::int64_t i = 0; i < part.rows; ++i) {
    const std::int64_t v = g.vertex(owners.global(part.rank, i));
    if (v >= 0) f(i, v);
  }
}

template <class Id>
void gather_parents(const placed_graph& g, const bfs_result::part& part, std::int64_t* out) {
  const auto parents = on_host(part, static_cast<const Id*>(part.parents));
  each_vertex(g, part, [&](std::int64_t i, std::int64_t v) {
    const Id u = parents[i];
    out[v] = u < 0 ? -1 : g.vertex(u);
  });
}

}  // namespace

shared_array<std::int64_t> bfs_result::parents() const {
  shared_array<std::int64_t> out(graph_->vertices());
  for (const part& p : parts_) {
    if (p.id_width == 4) {
      gather_parents<vertex32>(*graph_, p, out.data());
    } else {
      gather_parents<vertex64>(*graph_, p, out.data());
    }
  }
  return out;
}

shared_array<std::int32_t> bfs_result::depths() const {
  shared_array<std::int32_t> out(graph_->vertices());
  for (const part& p : parts_) {
    const auto depths = on_host(p, static_cast<const std::int32_t*>(p.depths));
    each_vertex(*graph_, p, [&](std::int64_t i, std::int64_t v) { out[v] = depths[i]; });
  }
  return out;
}

namespace {

double hidden_share(double copying, double idle) {
  if (!(copying > 0)) return std::numeric_limits<double>::quiet_NaN();
  return std::max(0.0, 1 - idle / copying);
}

}  // namespace

double bfs_overlap::hidden() const noexcept {
  return hidden_share(copy_seconds, idle_seconds);
}

double bfs_result::hidden() const noexcept {
  double copying = 0, idle = 0;
  for (const bfs_overlap& level : overlap) {
    copying += level.copy_seconds;
    idle += level.idle_seconds;
  }
  return hidden_share(copying, idle);
}

}  // namespace gossamer
