// Modularity by its definition, pair by pair, for small graphs. In long doubles.
#pragma once

#include <cstdint>
#include <vector>

#include "gossamer/graph/csr.hpp"

namespace gossamer::testing_graphs {

/// Q = 1 / W * sum over pairs of one label of (A_ij - resolution * k_i * k_j / W), A with loops
/// twice; 0 without weight.
inline double modularity_by_definition(const graph& g, const std::vector<std::int64_t>& labels,
                                       double resolution) {
  const auto n = static_cast<std::size_t>(g.vertices());
  std::vector<long double> strength(n, 0);
  long double all = 0, within = 0;
  g.visit([&](const auto& rows) {
    for (std::size_t u = 0; u < n; ++u)
      for (edge_offset k = g.offsets[u]; k < g.offsets[u + 1]; ++k) {
        const auto v = static_cast<std::size_t>(rows.indices[k]);
        double weight = std::visit(
            [&]<class Weights>(const Weights& weights) -> double {
              if constexpr (std::is_same_v<Weights, std::monostate>)
                return 1;
              else
                return static_cast<double>(weights[static_cast<std::size_t>(k)]);
            },
            g.weights);
        if (u == v) weight *= 2;
        strength[u] += weight;
        all += weight;
        if (labels[u] == labels[v]) within += weight;
      }
  });
  if (all == 0) return 0;
  for (std::size_t u = 0; u < n; ++u)
    for (std::size_t v = 0; v < n; ++v)
      if (labels[u] == labels[v]) within -= resolution * strength[u] * strength[v] / all;
  return static_cast<double>(within / all);
}

}  // namespace gossamer::testing_graphs
