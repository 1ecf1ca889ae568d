// Small graphs made by hand or at random, and a serial BFS to compare with. Uses no code of the
// layers under test but the graph type.
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "gossamer/graph/csr.hpp"

namespace gossamer::testing_graphs {

using arc_list = std::vector<std::pair<std::int64_t, std::int64_t>>;

/// A CSR of exactly these arcs (parallel ones kept), rows ascending.
template <class Id = vertex32>
graph from_arcs(std::string name, std::int64_t n, arc_list arcs, bool symmetric) {
  std::sort(arcs.begin(), arcs.end());
  graph g;
  g.name = std::move(name);
  g.symmetric = symmetric;
  g.offsets = shared_array<edge_offset>(n + 1);
  std::fill(g.offsets.begin(), g.offsets.end(), 0);
  shared_array<Id> columns(arcs.size());
  for (std::size_t i = 0; i < arcs.size(); ++i) {
    ++g.offsets[arcs[i].first + 1];
    columns[i] = static_cast<Id>(arcs[i].second);
  }
  for (std::int64_t v = 0; v < n; ++v) g.offsets[v + 1] += g.offsets[v];
  g.indices = columns;
  return g;
}

/// Both directions of every edge; self-loops once.
template <class Id = vertex32>
graph undirected(std::string name, std::int64_t n, const arc_list& edges) {
  arc_list arcs;
  for (auto [u, v] : edges) {
    arcs.emplace_back(u, v);
    if (u != v) arcs.emplace_back(v, u);
  }
  return from_arcs<Id>(std::move(name), n, std::move(arcs), true);
}

inline arc_list random_arcs(std::int64_t n, std::int64_t m, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  arc_list arcs;
  for (std::int64_t i = 0; i < m; ++i) {
    arcs.emplace_back(random() % n, random() % n);  // self-loops and parallel arcs happen
  }
  return arcs;
}

/// A star and its mirror on the other side, each middle among the other's points: many messages at
/// once, wherever a search starts.
inline graph two_stars(std::int64_t n) {
  arc_list arcs;
  for (std::int64_t v = 1; v < n; ++v) {
    arcs.emplace_back(0, v);
    arcs.emplace_back(n - 1, v - 1);
  }
  return undirected("two stars", n, arcs);
}

/// A middle next to all, each of which is next to the seventh after it: one long row.
inline graph wheel(std::int64_t n) {
  arc_list edges;
  for (std::int64_t v = 0; v < n; ++v) {
    edges.emplace_back(n / 2, v);
    edges.emplace_back(v, (v + 7) % n);
  }
  return undirected("wheel", n, edges);
}

/// The graph with these weights, in the order of its arcs.
template <class Weight>
graph weighed(graph g, const std::vector<Weight>& weights) {
  shared_array<Weight> all(weights.size());
  std::copy(weights.begin(), weights.end(), all.begin());
  g.weights = all;
  return g;
}

/// The graph of paper A's Table 1 (ARCHITECTURE.md names the papers): eight vertices.
inline graph paper_example() {
  graph g;
  g.name = "paper-a-table-1";
  const std::vector<edge_offset> rows = {0, 3, 7, 11, 14, 19, 22, 25, 26};
  const std::vector<vertex32> columns = {1, 2, 4, 0, 2, 4, 6, 0, 1, 3, 4, 2, 4,
                                         5, 0, 1, 2, 3, 6, 3, 6, 7, 1, 4, 5, 5};
  g.offsets = shared_array<edge_offset>(rows.size());
  std::copy(rows.begin(), rows.end(), g.offsets.begin());
  shared_array<vertex32> ids(columns.size());
  std::copy(columns.begin(), columns.end(), ids.begin());
  g.indices = ids;
  g.symmetric = true;
  return g;
}

/// What there is to try: shapes that break things.
inline std::vector<graph> shapes() {
  std::vector<graph> all;
  all.push_back(undirected("one-vertex", 1, {}));
  all.push_back(undirected("one-vertex-loop", 1, {{0, 0}}));
  all.push_back(undirected("no-edges", 70, {}));
  all.push_back(undirected("two", 2, {{0, 1}}));
  arc_list star, path, comb;
  for (std::int64_t v = 1; v < 300; ++v) star.emplace_back(0, v);
  for (std::int64_t v = 1; v < 130; ++v) path.emplace_back(v - 1, v);
  for (std::int64_t v = 1; v < 200; ++v) comb.emplace_back(v % 5 == 0 ? v - 5 : v - 1, v);
  all.push_back(undirected("star", 300, star));
  all.push_back(undirected("path", 130, path));
  all.push_back(undirected("comb", 333, comb));  // the rest is isolated
  all.push_back(paper_example());
  all.push_back(undirected("sparse", 500, random_arcs(500, 450, 1)));  // disconnected
  all.push_back(undirected("dense", 257, random_arcs(257, 4000, 2)));
  all.push_back(undirected("hundreds", 3000, random_arcs(3000, 20000, 3)));
  all.push_back(from_arcs("directed", 700, random_arcs(700, 2500, 4), false));
  all.push_back(from_arcs("directed-sparse", 1000, random_arcs(1000, 1100, 5), false));
  all.push_back(undirected<vertex64>("wide-ids", 900, random_arcs(900, 3000, 6)));
  return all;
}

struct reference {
  std::vector<std::int32_t> depths;
  std::vector<std::int64_t> smallest_parents;
  std::int64_t reached = 0, levels = 0, arcs = 0;
  std::vector<std::int64_t> frontiers;
};

inline reference serial_bfs(const graph& g, std::int64_t source) {
  const std::int64_t n = g.vertices();
  reference r;
  r.depths.assign(n, -1);
  r.smallest_parents.assign(n, -1);
  r.depths[source] = 0;
  r.smallest_parents[source] = source;
  std::vector<std::int64_t> frontier{source};
  g.visit([&](const auto& view) {
    for (std::int32_t depth = 1; !frontier.empty(); ++depth) {
      r.frontiers.push_back(static_cast<std::int64_t>(frontier.size()));
      std::vector<std::int64_t> next;
      for (std::int64_t u : frontier) {
        r.arcs += g.degree(u);
        for (std::int64_t v : view.row(u)) {
          if (r.depths[v] < 0) {
            r.depths[v] = depth;
            next.push_back(v);
          }
          auto& parent = r.smallest_parents[v];
          if (r.depths[v] == depth && (parent < 0 || u < parent)) parent = u;
        }
      }
      r.reached += static_cast<std::int64_t>(frontier.size());
      frontier = std::move(next);
    }
  });
  r.levels = static_cast<std::int64_t>(r.frontiers.size());
  return r;
}

}  // namespace gossamer::testing_graphs
