// Strong components by their definition, for small graphs: who reaches each other has the smallest
// vertex of them all for a label.
#pragma once

#include <cstdint>
#include <vector>

#include "gossamer/graph/csr.hpp"

namespace gossamer::testing_graphs {

inline std::vector<std::int64_t> strong_by_definition(const graph& g) {
  const auto n = static_cast<std::size_t>(g.vertices());
  std::vector<std::vector<bool>> reaches(n, std::vector<bool>(n, false));
  for (std::size_t start = 0; start < n; ++start) {
    std::vector<std::size_t> queue(1, start);
    reaches[start][start] = true;
    while (!queue.empty()) {
      const std::size_t u = queue.back();
      queue.pop_back();
      g.visit([&](const auto& rows) {
        for (const auto v : rows.row(static_cast<std::int64_t>(u))) {
          const auto to = static_cast<std::size_t>(v);
          if (reaches[start][to]) continue;
          reaches[start][to] = true;
          queue.push_back(to);
        }
      });
    }
  }
  std::vector<std::int64_t> labels(n);
  for (std::size_t v = 0; v < n; ++v)
    for (std::size_t u = 0; u <= v; ++u)
      if (reaches[u][v] && reaches[v][u]) {
        labels[v] = static_cast<std::int64_t>(u);
        break;
      }
  return labels;
}

}  // namespace gossamer::testing_graphs
