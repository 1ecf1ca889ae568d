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

/// out[the caller's vertex] = value(of it), for every vertex of a part, on several threads.
template <class T, class Out, class F>
void put_by_vertex(const placed_graph& g, const bfs_result::part& part, const T* values, Out* out,
                   const F& value) {
  const ownership_view& owners = g.owners().view();
  const std::int64_t n = g.vertices();
  if (g.identity() && part.rows > 0) {  // whose ranks own ranges
    const std::int64_t begin = owners.global(part.rank, 0);
    const auto rows = static_cast<std::size_t>(std::clamp<std::int64_t>(n - begin, 0, part.rows));
    read_elements(values, rows, [&](std::size_t first, std::span<const T> these) {
      Out* const to = out + begin + first;
      for (std::size_t i = 0; i < these.size(); ++i) to[i] = value(these[i]);
    });
    return;
  }
  read_elements(values, static_cast<std::size_t>(part.rows),
                [&](std::size_t first, std::span<const T> these) {
                  for (std::size_t i = 0; i < these.size(); ++i) {
                    const std::int64_t v =
                        g.vertex(owners.global(part.rank, static_cast<std::int64_t>(first + i)));
                    if (v >= 0 && v < n) out[v] = value(these[i]);
                  }
                });
}

template <class Id>
void gather_parents(const placed_graph& g, const bfs_result::part& part, std::int64_t* out) {
  const auto* parents = static_cast<const Id*>(part.parents);
  if (g.identity())
    put_by_vertex(g, part, parents, out, [](Id u) { return u < 0 ? -1 : std::int64_t{u}; });
  else
    put_by_vertex(g, part, parents, out, [&](Id u) { return u < 0 ? -1 : g.vertex(u); });
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
    put_by_vertex(*graph_, p, static_cast<const std::int32_t*>(p.depths), out.data(),
                  [](std::int32_t depth) { return depth; });
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
