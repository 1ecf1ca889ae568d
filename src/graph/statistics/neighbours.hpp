// Sweeps over the edges of the undirected simple graph, without making it.
#pragma once

#include <algorithm>
#include <cstdint>

#include "gossamer/graph/csr.hpp"

namespace gossamer::detail {

/// Calls f(u, own) for each distinct neighbour u != v in row v (sorted). The edge {v,u} of the
/// undirected simple graph is reported with own = true by exactly one of its ends: the smaller one,
/// or the larger one when the smaller has no arc to it. own = false thus means that (u,v) is stored
/// too, and that row u owns the edge.
template <class Id, class F>
void for_neighbours(const csr_view<Id>& rows, bool symmetric, std::int64_t v, const F& f) {
  const auto row = rows.row(v);
  for (std::size_t i = 0; i < row.size(); ++i) {
    const Id u = row[i];
    if (u == v || (i > 0 && row[i - 1] == u)) continue;
    if (u > v) {
      f(u, true);
    } else if (symmetric) {
      f(u, false);
    } else {
      const auto back = rows.row(u);
      f(u, !std::binary_search(back.begin(), back.end(), static_cast<Id>(v)));
    }
  }
}

}  // namespace gossamer::detail
