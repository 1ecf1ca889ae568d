// Weak components: threads join arcs in one array of parents by compare-and-swap, then sizes are
// counted in order. Strong ones are in strong_components.cpp.
#include "graph/components.hpp"

#include "gossamer/graph/union_find.hpp"
#include "graph/parallel.hpp"

namespace gossamer::detail {
namespace {

constexpr const char* what = "components";

}  // namespace

components weak_components(const graph& g, int threads, const std::stop_token& stop) {
  components c;
  const std::int64_t n = g.vertices(), blocks = (n + vertex_grain - 1) / vertex_grain;
  threads = n + g.arcs() < 32768 ? 1 : resolve_threads(threads);
  c.root.resize(n);
  auto& root = c.root;
  const auto sweep = [&](const auto& work) {
    parallel_blocks(threads, blocks, [&](int, std::int64_t block) {
      check_stop(stop, what);
      const std::int64_t last = std::min(n, (block + 1) * vertex_grain);
      for (std::int64_t v = block * vertex_grain; v < last; ++v) work(v);
    });
  };
  sweep([&](std::int64_t v) { root[v] = v; });
  g.visit([&](const auto& rows) {
    sweep([&](std::int64_t v) {
      for (const auto u : rows.row(v)) {
        // Of a symmetric graph every edge is seen once.
        if (g.symmetric && u >= v) continue;
        join<std::int64_t>(root.data(), v, u);
      }
    });
  });
  sweep([&](std::int64_t v) { compress(root.data(), v); });
  std::vector<std::int64_t> size(n, 0);
  stop_watch watch(stop, what);
  for (std::int64_t v = 0; v < n; ++v) {
    watch.step();
    if (root[v] == v) ++c.count;
    ++size[root[v]];
  }
  for (std::int64_t v = 0; v < n; ++v) {
    watch.step();
    if (size[v] > c.largest) {
      c.largest = size[v];
      c.largest_root = v;
    }
  }
  return c;
}

}  // namespace gossamer::detail
