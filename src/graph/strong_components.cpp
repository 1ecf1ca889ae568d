// Strong components: Tarjan 1972 with an explicit stack (Nuutila and Soisalon-Soininen's variant:
// roots stay off the component stack), so that long paths cannot overflow the call stack.
#include <algorithm>

#include "graph/components.hpp"
#include "graph/parallel.hpp"

namespace gossamer::detail {

strong strong_components(const graph& g, const std::stop_token& stop) {
  strong result;
  const std::int64_t n = g.vertices();
  if (n == 0) return result;
  // low[v]: 0 = not visited, then the smallest visit number reachable, then `done`.
  constexpr std::int64_t done = std::int64_t{1} << 62;
  std::vector<std::int64_t> low(static_cast<std::size_t>(n), 0);
  std::vector<edge_offset> next(static_cast<std::size_t>(n));
  std::vector<std::int64_t> path, open;
  std::int64_t visits = 0;
  stop_watch watch(stop, "strong components");
  g.visit([&](const auto& rows) {
    std::vector<bool> root(static_cast<std::size_t>(n), true);
    const auto enter = [&](std::int64_t v) {
      low[v] = ++visits;
      next[v] = rows.offsets[v];
      path.push_back(v);
    };
    const auto join = [&](std::int64_t v, std::int64_t u) {
      if (low[u] >= low[v]) return;
      low[v] = low[u];
      root[v] = false;
    };
    for (std::int64_t start = 0; start < n; ++start) {
      watch.step();
      if (low[start] != 0) continue;
      enter(start);
      while (!path.empty()) {
        watch.step();
        const std::int64_t v = path.back();
        if (next[v] < rows.offsets[v + 1]) {
          const std::int64_t u = rows.indices[next[v]++];
          if (low[u] == 0)
            enter(u);
          else
            join(v, u);
          continue;
        }
        path.pop_back();
        if (root[v]) {
          std::int64_t size = 1;
          while (!open.empty() && low[open.back()] >= low[v]) {
            low[open.back()] = done;
            open.pop_back();
            ++size;
          }
          low[v] = done;
          ++result.count;
          result.largest = std::max(result.largest, size);
        } else {
          open.push_back(v);
        }
        if (!path.empty()) join(path.back(), v);
      }
    }
  });
  return result;
}

}  // namespace gossamer::detail
