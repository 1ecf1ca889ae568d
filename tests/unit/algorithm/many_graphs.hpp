// Two hundred small random graphs with weights, each of another shape, and what a serial search
// says of them. Uses no code of the layers under test but the graph type.
#pragma once

#include <limits>
#include <queue>

#include "unit/algorithm/small_graphs.hpp"

namespace gossamer::testing_graphs {

/// The weight of the arc between two vertices: the same in both directions, and of parallel arcs.
inline std::int32_t weight_between(std::int64_t u, std::int64_t v, int most) {
  const auto a = static_cast<std::uint64_t>(std::min(u, v)),
             b = static_cast<std::uint64_t>(std::max(u, v));
  std::uint64_t z = (a * 0x9e3779b97f4a7c15u) ^ (b + 0x632be59bd9b4e019u) * 0xd1342543de82ef95u;
  z = (z ^ (z >> 29)) * 0x94d049bb133111ebu;
  return static_cast<std::int32_t>((z >> 33) % static_cast<std::uint64_t>(most + 1));
}

/// Weights 0 … most; Weight: int32, float or double. Floats are not whole numbers.
template <class Weight>
void set_weights(graph& g, int most) {
  shared_array<Weight> weights(static_cast<std::size_t>(g.arcs()));
  g.visit([&](const auto& rows) {
    for (std::int64_t u = 0; u < g.vertices(); ++u)
      for (edge_offset k = g.offsets[u]; k < g.offsets[u + 1]; ++k) {
        const auto w = weight_between(u, static_cast<std::int64_t>(rows.indices[k]), most);
        if constexpr (std::is_integral_v<Weight>)
          weights[k] = w;
        else
          weights[k] = static_cast<Weight>(w) * static_cast<Weight>(0.37);
      }
  });
  g.weights = weights;
  g.weight_source = "caller";
}

/// Shape, number of vertices, density, direction, kind of ids and weights follow from `number`,
/// 0 … 199; weights of zero in a third of them.
inline graph many_graphs(int number) {
  std::mt19937_64 random(static_cast<std::uint64_t>(number) + 1000);
  const auto below = [&](std::int64_t n) {
    return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(n));
  };
  const std::int64_t n = 1 + below(number % 7 == 0 ? 700 : 90);
  const bool directed = number % 4 == 1;
  arc_list edges;
  switch (number % 6) {
    case 0:  // star, its middle anywhere
      for (std::int64_t v = 0, middle = below(n); v < n; ++v) edges.emplace_back(middle, v);
      break;
    case 1:  // path through a shuffled order
    {
      std::vector<std::int64_t> order(static_cast<std::size_t>(n));
      for (std::int64_t v = 0; v < n; ++v) order[static_cast<std::size_t>(v)] = v;
      std::shuffle(order.begin(), order.end(), random);
      for (std::size_t i = 1; i < order.size(); ++i) edges.emplace_back(order[i - 1], order[i]);
      break;
    }
    case 2:
      edges = random_arcs(n, n * 4, static_cast<std::uint32_t>(number));
      break;
    case 3:
      edges = random_arcs(n, n / 2, static_cast<std::uint32_t>(number));
      break;  // pieces
    case 4:   // parallel edges and self-loops, on few of the vertices
      for (std::int64_t i = 0, few = n / 3 + 1; i < 2 * n; ++i) {
        const auto u = below(few), v = below(few);
        edges.emplace_back(u, v);
        if (i % 3 == 0) edges.emplace_back(u, v);
      }
      break;
    default:
      break;  // no edge at all
  }
  const std::string name = "graph " + std::to_string(number);
  const bool wide = number % 5 == 3;
  graph g = directed ? (wide ? from_arcs<vertex64>(name, n, edges, false)
                             : from_arcs(name, n, edges, false))
                     : (wide ? undirected<vertex64>(name, n, edges) : undirected(name, n, edges));
  const int most = number % 3 == 0 ? 2 : 255;
  if (number % 8 == 6)
    set_weights<float>(g, most);
  else if (number % 8 == 7)
    set_weights<double>(g, most);
  else
    set_weights<std::int32_t>(g, most);
  return g;
}

/// Distances by Dijkstra's algorithm in the type of `Distance`, infinity() where not reached.
template <class Distance>
std::vector<Distance> serial_distances(const graph& g, std::int64_t source) {
  using weight =
      std::conditional_t<std::is_same_v<Distance, std::uint32_t>, std::int32_t, Distance>;
  using limits = std::numeric_limits<Distance>;
  const Distance far = limits::has_infinity ? limits::infinity() : limits::max();
  std::vector<Distance> d(static_cast<std::size_t>(g.vertices()), far);
  using item = std::pair<Distance, std::int64_t>;
  std::priority_queue<item, std::vector<item>, std::greater<>> queue;
  d[static_cast<std::size_t>(source)] = 0;
  queue.emplace(Distance{0}, source);
  const auto& weights = std::get<shared_array<weight>>(g.weights);
  g.visit([&](const auto& rows) {
    while (!queue.empty()) {
      const auto [here, u] = queue.top();
      queue.pop();
      if (here > d[static_cast<std::size_t>(u)]) continue;
      for (edge_offset k = g.offsets[u]; k < g.offsets[u + 1]; ++k) {
        const auto v = static_cast<std::int64_t>(rows.indices[k]);
        const auto next = static_cast<Distance>(here + static_cast<Distance>(weights[k]));
        if (!(next < d[static_cast<std::size_t>(v)])) continue;
        d[static_cast<std::size_t>(v)] = next;
        queue.emplace(next, v);
      }
    }
  });
  return d;
}

/// Parents in the order of (distance, arcs from there, id), by repeated looks at all arcs.
template <class Distance>
std::vector<std::int64_t> serial_parents(const graph& g, std::int64_t source,
                                         const std::vector<Distance>& d) {
  using weight =
      std::conditional_t<std::is_same_v<Distance, std::uint32_t>, std::int32_t, Distance>;
  const auto& weights = std::get<shared_array<weight>>(g.weights);
  std::vector<std::int64_t> parent(d.size(), -1), level(d.size(), -1);
  parent[static_cast<std::size_t>(source)] = source;
  level[static_cast<std::size_t>(source)] = 0;
  using limits = std::numeric_limits<Distance>;
  const Distance far = limits::has_infinity ? limits::infinity() : limits::max();
  // Level 0: arcs from a smaller distance; then one level of arcs from the same distance at a time.
  bool changed = true;
  for (std::int64_t now = 0; changed; ++now) {
    changed = now == 0;
    g.visit([&](const auto& rows) {
      for (std::int64_t u = 0; u < g.vertices(); ++u)
        for (edge_offset k = g.offsets[u]; k < g.offsets[u + 1]; ++k) {
          const auto v = static_cast<std::size_t>(rows.indices[k]);
          const auto from = static_cast<std::size_t>(u);
          if (d[from] == far || static_cast<std::int64_t>(v) == source) continue;
          if (static_cast<Distance>(d[from] + static_cast<Distance>(weights[k])) != d[v]) continue;
          const bool nearer = d[from] < d[v];
          if (now == 0 ? !nearer : nearer || level[from] != now - 1) continue;
          if (level[v] >= 0 && level[v] != now) continue;
          if (level[v] < 0) changed = true;
          level[v] = now;
          if (parent[v] < 0 || u < parent[v]) parent[v] = u;
        }
    });
  }
  return parent;
}

}  // namespace gossamer::testing_graphs
