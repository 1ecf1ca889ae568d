// Core numbers by their definition, for small graphs: for each k whoever has fewer than k
// neighbours goes, again and again, and who stays is in the k-core.
#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "gossamer/graph/csr.hpp"

namespace gossamer::testing_graphs {

/// Neighbours of each vertex, one of a directed graph twice if it is so both ways.
inline std::vector<std::vector<std::int64_t>> simple_neighbours(const graph& g) {
  std::set<std::pair<std::int64_t, std::int64_t>> arcs;
  g.visit([&](const auto& rows) {
    for (std::int64_t u = 0; u < g.vertices(); ++u)
      for (const auto v : rows.row(u))
        if (v != u) arcs.emplace(u, static_cast<std::int64_t>(v));
  });
  std::vector<std::vector<std::int64_t>> next(static_cast<std::size_t>(g.vertices()));
  for (const auto& [u, v] : arcs) {
    next[static_cast<std::size_t>(u)].push_back(v);
    if (!g.symmetric) next[static_cast<std::size_t>(v)].push_back(u);
  }
  return next;
}

inline std::vector<std::int32_t> cores_by_definition(const graph& g) {
  const auto next = simple_neighbours(g);
  std::vector<std::int32_t> cores(next.size(), 0);
  std::vector<bool> here(next.size(), true);
  std::size_t left = next.size();
  for (std::int32_t k = 1; left > 0; ++k) {
    for (bool again = true; again;) {
      again = false;
      for (std::size_t v = 0; v < next.size(); ++v) {
        if (!here[v]) continue;
        std::int32_t neighbours = 0;
        for (const std::int64_t u : next[v]) neighbours += here[static_cast<std::size_t>(u)];
        if (neighbours >= k) continue;
        here[v] = false;
        --left;
        again = true;
      }
    }
    for (std::size_t v = 0; v < next.size(); ++v)
      if (here[v]) cores[v] = k;
  }
  return cores;
}

}  // namespace gossamer::testing_graphs
