// The minimum spanning forest by Kruskal's algorithm, for small graphs: edges in the order of
// weight and arc, each taken that joins two trees.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "gossamer/graph/csr.hpp"

namespace gossamer::testing_graphs {

struct listed_edge {
  double weight;
  std::int64_t arc, u, v;
};

/// Arcs from smaller to larger vertices, in their order among each other.
inline std::vector<listed_edge> edges_in_order(const graph& g) {
  std::vector<listed_edge> edges;
  g.visit([&](const auto& rows) {
    for (std::int64_t u = 0; u < g.vertices(); ++u)
      for (edge_offset k = g.offsets[u]; k < g.offsets[u + 1]; ++k) {
        const auto v = static_cast<std::int64_t>(rows.indices[k]);
        const double weight = std::visit(
            [&]<class Weights>(const Weights& weights) -> double {
              if constexpr (std::is_same_v<Weights, std::monostate>)
                return 1;
              else
                return static_cast<double>(weights[k]);
            },
            g.weights);
        if (v > u) edges.push_back({weight, k, u, v});
      }
  });
  std::stable_sort(edges.begin(), edges.end(),
                   [](const auto& a, const auto& b) { return a.weight < b.weight; });
  return edges;
}

/// Ascending.
inline std::vector<std::int64_t> forest_by_definition(const graph& g) {
  std::vector<std::int64_t> tree(static_cast<std::size_t>(g.vertices())), arcs;
  std::iota(tree.begin(), tree.end(), 0);
  for (const auto& e : edges_in_order(g)) {
    const std::int64_t of_u = tree[static_cast<std::size_t>(e.u)],
                       of_v = tree[static_cast<std::size_t>(e.v)];
    if (of_u == of_v) continue;
    std::replace(tree.begin(), tree.end(), of_v, of_u);
    arcs.push_back(e.arc);
  }
  std::sort(arcs.begin(), arcs.end());
  return arcs;
}

}  // namespace gossamer::testing_graphs
