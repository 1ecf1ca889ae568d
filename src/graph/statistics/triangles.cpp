// Triangles: every edge points to its end of higher degree, and the out-rows of an edge's ends are
// intersected (Chiba and Nishizeki, SIAM J. Comput. 14, 1985; Latapy, TCS 407, 2008). No out-row is
// longer than sqrt(2 m), which gives O(m^1.5) whatever the hubs are.
#include <algorithm>
#include <atomic>

#include "gossamer/graph/memory_needs.hpp"
#include "gossamer/graph/statistics.hpp"
#include "graph/parallel.hpp"
#include "graph/statistics/neighbours.hpp"

namespace gossamer {

namespace detail {
namespace {

constexpr const char* what = "statistics";

// Runs f(v, u) for the edges of the undirected simple graph, each once, in parallel.
template <class Id, class F>
void for_edges(const csr_view<Id>& rows, bool symmetric, int threads, const std::stop_token& stop,
               const F& f) {
  const std::int64_t n = rows.vertices(), blocks = (n + vertex_grain - 1) / vertex_grain;
  parallel_blocks(threads, blocks, [&](int, std::int64_t block) {
    check_stop(stop, what);
    const std::int64_t last = std::min(n, (block + 1) * vertex_grain);
    for (std::int64_t v = block * vertex_grain; v < last; ++v)
      for_neighbours(rows, symmetric, v, [&](Id u, bool own) {
        if (own) f(static_cast<Id>(v), u);
      });
  });
}

std::int64_t add_one(std::int64_t& counter) {
  return std::atomic_ref(counter).fetch_add(1, std::memory_order_relaxed);
}

template <class Id>
std::int64_t common(std::span<const Id> a, std::span<const Id> b) {
  std::int64_t found = 0;
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    const Id x = a[i], y = b[j];
    found += x == y;
    i += x <= y;
    j += y <= x;
  }
  return found;
}

template <class Id>
std::int64_t count(const csr_view<Id>& rows, bool symmetric, int threads,
                   const std::stop_token& stop) {
  const std::int64_t n = rows.vertices();
  std::vector<std::int64_t> degree(n, 0);
  for_edges(rows, symmetric, threads, stop, [&](Id v, Id u) {
    add_one(degree[v]);
    add_one(degree[u]);
  });
  const auto below = [&](Id v, Id u) {
    return degree[v] != degree[u] ? degree[v] < degree[u] : v < u;
  };
  // start[v + 1] counts row v, then becomes the place where its next entry goes, and ends as the
  // beginning of row v + 1: a row is filled in any order and sorted afterwards.
  std::vector<std::int64_t> start(n + 1, 0);
  for_edges(rows, symmetric, threads, stop,
            [&](Id v, Id u) { add_one(start[(below(v, u) ? v : u) + 1]); });
  std::int64_t total = 0;
  for (std::int64_t v = 0; v < n; ++v) {
    const std::int64_t here = start[v + 1];
    start[v + 1] = total;
    total += here;
  }
  std::vector<Id> higher(total);
  for_edges(rows, symmetric, threads, stop, [&](Id v, Id u) {
    if (!below(v, u)) std::swap(v, u);
    if (const std::int64_t at = add_one(start[v + 1]); at < total) higher[at] = u;
  });
  // Rows of a mapped file that is overwritten meanwhile are others at each look. No place is taken
  // for more than was counted then, and whoever asked refuses the answer (mapped_file.hpp).
  if (!std::is_sorted(start.begin(), start.end()) || start.back() > total) return 0;
  const auto out = [&](std::int64_t v) {
    return std::span<const Id>(higher).subspan(start[v], start[v + 1] - start[v]);
  };
  constexpr std::int64_t grain = 256;  // rows of hubs cost far more than others
  sum_ranges<std::int64_t>(threads, n, grain, stop, what,
                           [&](std::int64_t first, std::int64_t last, std::int64_t&) {
                             for (std::int64_t v = first; v < last; ++v)
                               std::sort(higher.begin() + start[v], higher.begin() + start[v + 1]);
                           });
  return sum_ranges<std::int64_t>(threads, n, grain, stop, what,
                                  [&](std::int64_t first, std::int64_t last, std::int64_t& sum) {
                                    for (std::int64_t v = first; v < last; ++v)
                                      for (const Id u : out(v)) sum += common<Id>(out(v), out(u));
                                  });
}

}  // namespace
}  // namespace detail

std::int64_t count_triangles(const graph& g, int threads, const std::stop_token& stop,
                             std::int64_t memory) {
  require(g.sorted, "triangles: the rows are not sorted; rebuild the graph first");
  require(threads >= 0, "triangles: negative number of threads");
  if (g.vertices() == 0) return 0;
  statistics_options only{false, false, false, false, true};
  require_memory(g, "counting triangles", statistics_bytes(graph_sizes::of(g), only), memory);
  return g.visit([&]<class Id>(const csr_view<Id>& rows) {
    return detail::count<Id>(rows, g.symmetric, detail::resolve_threads(threads), stop);
  });
}

}  // namespace gossamer
