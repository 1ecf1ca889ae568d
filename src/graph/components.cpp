// Weak components: union by smaller id with path halving (Tarjan and van Leeuwen 1984).
#include "graph/components.hpp"

namespace gossamer::detail {

components weak_components(const graph& g) {
  components c;
  const std::int64_t n = g.vertices();
  c.root.resize(n);
  auto& root = c.root;
  for (std::int64_t v = 0; v < n; ++v) root[v] = v;
  const auto find = [&](std::int64_t v) {
    while (root[v] != v) v = root[v] = root[root[v]];
    return v;
  };
  g.visit([&](const auto& rows) {
    for (std::int64_t v = 0; v < n; ++v) {
      std::int64_t mine = find(v);
      for (const auto u : rows.row(v)) {
        // Of a symmetric graph every edge is seen once.
        if (g.symmetric && u >= v) continue;
        const std::int64_t other = find(u);
        if (other == mine) continue;
        // The smaller id stays root, so that parents always point down and roots are minima.
        root[other < mine ? mine : other] = other < mine ? other : mine;
        mine = other < mine ? other : mine;
      }
    }
  });
  std::vector<std::int64_t> size(n, 0);
  for (std::int64_t v = 0; v < n; ++v) {
    root[v] = root[root[v]];  // root[v] <= v, so its own root is final already
    if (root[v] == v) ++c.count;
    ++size[root[v]];
  }
  for (std::int64_t v = 0; v < n; ++v)
    if (size[v] > c.largest) {
      c.largest = size[v];
      c.largest_root = v;
    }
  return c;
}

}  // namespace gossamer::detail
