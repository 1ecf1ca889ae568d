// Depths by their definition, for small graphs: from each vertex, relaxed until nothing changes;
// and numbers of a row of depths.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "gossamer/algorithm/distances.hpp"
#include "gossamer/graph/csr.hpp"

namespace gossamer::testing_graphs {

using depth_rows = std::vector<std::vector<std::int64_t>>;

/// [source][vertex], -1: none; `inward`: to the source.
inline depth_rows depths_by_definition(const graph& g, bool inward) {
  const auto n = static_cast<std::size_t>(g.vertices());
  depth_rows all(n, std::vector<std::int64_t>(n, -1));
  std::vector<std::pair<std::size_t, std::size_t>> arcs;
  g.visit([&](const auto& rows) {
    for (std::size_t u = 0; u < n; ++u)
      for (const auto v : rows.row(static_cast<std::int64_t>(u)))
        arcs.emplace_back(inward ? static_cast<std::size_t>(v) : u,
                          inward ? u : static_cast<std::size_t>(v));
  });
  for (std::size_t source = 0; source < n; ++source) {
    auto& depth = all[source];
    depth[source] = 0;
    for (bool changed = true; changed;) {
      changed = false;
      for (const auto& [u, v] : arcs)
        if (depth[u] >= 0 && (depth[v] < 0 || depth[v] > depth[u] + 1)) {
          depth[v] = depth[u] + 1;
          changed = true;
        }
    }
  }
  return all;
}

inline double number_by_definition(distance_kind kind, const std::vector<std::int64_t>& depths) {
  double reached = 0, sum = 0, largest = 0;
  long double harmonic = 0;
  for (const std::int64_t d : depths) {
    if (d < 0) continue;
    const auto depth = static_cast<double>(d);
    reached += 1;
    sum += depth;
    if (d > 0) harmonic += 1 / static_cast<long double>(depth);
    largest = std::max(largest, depth);
  }
  const double closeness = sum > 0 ? (reached - 1) / sum : 0;
  switch (kind) {
    case distance_kind::reached:
      return reached;
    case distance_kind::sums:
      return sum;
    case distance_kind::closeness:
      return closeness;
    case distance_kind::wide_closeness:
      return depths.size() < 2 ? 0
                               : closeness * (reached - 1) / static_cast<double>(depths.size() - 1);
    case distance_kind::harmonic:
      return static_cast<double>(harmonic);
    case distance_kind::eccentricity:
      break;
  }
  return largest;
}

}  // namespace gossamer::testing_graphs
