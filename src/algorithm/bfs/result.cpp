// Results: from every rank's part to one array in the caller's numbering.
#include <algorithm>
#include <cstddef>
#include <limits>
#include <span>

#include "gossamer/algorithm/bfs.hpp"
#include "gossamer/base/large_array.hpp"
#include "gossamer/machine/pieces.hpp"

namespace gossamer {

namespace {

/// Calls f(the caller's vertex, value) for every vertex of a part, on several threads.
template <class T, class F>
void each_vertex(const placed_graph& g, const bfs_result::part& part, const T* values, const F& f) {
  const ownership_view& owners = g.owners().view();
  const std::int64_t n = g.vertices();
  const bool identity = g.identity();
  read_elements(values, static_cast<std::size_t>(part.rows),
                [&](std::size_t first, std::span<const T> these) {
                  for (std::size_t i = 0; i < these.size(); ++i) {
                    const std::int64_t placed =
                        owners.global(part.rank, static_cast<std::int64_t>(first + i));
                    const std::int64_t v = identity ? placed : g.vertex(placed);
                    if (v >= 0 && v < n) f(v, these[i]);
                  }
                });
}

template <class Id>
void gather_parents(const placed_graph& g, const bfs_result::part& part, std::int64_t* out) {
  const bool identity = g.identity();
  each_vertex(g, part, static_cast<const Id*>(part.parents), [&](std::int64_t v, Id u) {
    out[v] = u < 0 ? -1 : identity ? std::int64_t{u} : g.vertex(u);
  });
}

}  // namespace

shared_array<std::int64_t> bfs_result::parents() const {
  auto out = make_array<std::int64_t>(graph_->vertices());
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
  auto out = make_array<std::int32_t>(graph_->vertices());
  for (const part& p : parts_) {
    each_vertex(*graph_, p, static_cast<const std::int32_t*>(p.depths),
                [&](std::int64_t v, std::int32_t depth) { out[v] = depth; });
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
