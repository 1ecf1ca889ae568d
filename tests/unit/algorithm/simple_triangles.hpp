// Triangles by their definition, pair by pair of neighbours, for small graphs. In long doubles.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <utility>
#include <variant>
#include <vector>

#include "gossamer/graph/csr.hpp"

namespace gossamer::testing_graphs {

inline double weight_at(const graph& g, edge_offset k) {
  return std::visit(
      [&]<class Weights>(const Weights& w) -> double {
        if constexpr (std::is_same_v<Weights, std::monostate>)
          return 1;
        else
          return static_cast<double>(w[static_cast<std::size_t>(k)]);
      },
      g.weights);
}

/// By definition: every pair of neighbours of every vertex.
struct triangles_by_definition {
  struct edge {
    int directions = 0;
    long double worth = 0;
  };
  std::vector<std::map<std::int64_t, edge>> next;
  std::vector<double> counts;
  std::vector<std::int64_t> pairs;
  std::int64_t total = 0;

  triangles_by_definition(const graph& g, bool weighted)
      : next(static_cast<std::size_t>(g.vertices())) {
    long double largest = 0;
    std::map<std::pair<std::int64_t, std::int64_t>, double> arcs;  // the smallest of parallel ones
    g.visit([&](const auto& rows) {
      for (std::int64_t u = 0; u < g.vertices(); ++u)
        for (edge_offset k = g.offsets[u]; k < g.offsets[u + 1]; ++k) {
          const double w = weighted ? weight_at(g, k) : 1;
          largest = std::max<long double>(largest, w);
          const auto [at, fresh] = arcs.try_emplace({u, std::int64_t{rows.indices[k]}}, w);
          if (!fresh) at->second = std::min(at->second, w);
        }
    });
    for (const auto& [ends, w] : arcs) {
      const auto [u, v] = ends;
      if (u == v || (g.symmetric && u > v)) continue;
      const long double ratio = !weighted     ? 1
                                : largest > 0 ? w / largest
                                              : 0,
                        worth = std::cbrt(ratio);
      for (edge* e : {&next[u][v], &next[v][u]}) {
        ++e->directions;
        e->worth += worth;
      }
    }
    for (const auto& row : next) {
      std::int64_t degree = 0, both = 0;
      long double count = 0;
      for (const auto& [u, e] : row) {
        degree += e.directions;
        both += e.directions == 2;
      }
      for (auto a = row.begin(); a != row.end(); ++a)
        for (auto b = std::next(a); b != row.end(); ++b) {
          const auto closing = next[a->first].find(b->first);
          if (closing == next[a->first].end()) continue;
          ++total;
          count += a->second.worth * b->second.worth * closing->second.worth;
        }
      counts.push_back(static_cast<double>(count));
      pairs.push_back(g.symmetric ? degree * (degree - 1) / 2 : degree * (degree - 1) - 2 * both);
    }
    total /= 3;
  }
};

}  // namespace gossamer::testing_graphs
