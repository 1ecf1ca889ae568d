// Weak components: lock-free union by smaller id with path halving (Anderson and Woll, STOC 1991;
// the link step as in Afforest: Sutton, Ben-Nun, Barak, IPDPS 2018).
//
// A parent is only ever replaced by a smaller vertex of the same component, so chains have no
// cycles whatever the interleaving, and in the end a component's root is its smallest vertex: the
// schedule cannot show. Relaxed operations suffice, since parents are the only shared data and a
// stale one is still a member of the component.
#include "graph/components.hpp"

#include <atomic>

#include "graph/parallel.hpp"

namespace gossamer::detail {
namespace {

constexpr const char* what = "components";

std::int64_t load(std::int64_t& slot) {
  return std::atomic_ref(slot).load(std::memory_order_relaxed);
}

/// Joins the components of u and v.
void link(std::vector<std::int64_t>& root, std::int64_t u, std::int64_t v) {
  std::int64_t a = load(root[u]), b = load(root[v]);
  while (a != b) {
    const std::int64_t high = std::max(a, b), low = std::min(a, b);
    std::int64_t above = load(root[high]);
    if (above == low) return;
    if (above == high &&
        std::atomic_ref(root[high]).compare_exchange_strong(above, low, std::memory_order_relaxed))
      return;
    a = load(root[load(root[high])]);
    b = load(root[low]);
  }
}

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
        link(root, v, u);
      }
    });
  });
  // Halving while others do the same: a parent read late is only nearer to the root.
  sweep([&](std::int64_t v) {
    for (;;) {
      const std::int64_t up = load(root[v]), over = load(root[up]);
      if (up == over) break;
      std::atomic_ref(root[v]).store(over, std::memory_order_relaxed);
    }
  });
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
