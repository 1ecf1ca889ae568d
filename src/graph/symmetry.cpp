// is_symmetric: one sweep over sorted rows.
#include <algorithm>
#include <atomic>
#include <vector>

#include "gossamer/graph/builder.hpp"
#include "graph/arc_keys.hpp"
#include "graph/parallel.hpp"

namespace gossamer {
namespace {

/// The sweep behind is_symmetric: rows are read in ascending order of u, so the mirrors of the arcs
/// into v must appear in row v one after the other; one cursor a row suffices. Each thread does so
/// for the arcs into a range of its own, which it finds in every (sorted) row by bisection: cursors
/// are never shared.
template <class Id, class Weight>
bool mirrored(const csr_view<Id>& rows, const Weight* weights, int threads,
              const std::stop_token& stop) {
  const std::int64_t n = rows.vertices(), m = static_cast<std::int64_t>(rows.indices.size());
  std::vector<edge_offset> next(static_cast<std::size_t>(n));
  std::atomic<bool> differs{false};
  threads = m + n < 32768 ? 1 : detail::resolve_threads(threads);
  const auto bound = [&](std::int64_t part) {
    if (part == threads) return n;
    const edge_offset goal = m / threads * part;
    return std::lower_bound(rows.offsets.begin(), rows.offsets.end() - 1, goal) -
           rows.offsets.begin();
  };
  detail::parallel_blocks(threads, threads, [&](int, std::int64_t part) {
    const std::int64_t low = part == 0 ? 0 : bound(part), high = bound(part + 1);
    detail::stop_watch watch(stop, "checking symmetry");
    for (std::int64_t v = low; v < high; ++v) {
      watch.step();
      next[v] = rows.offsets[v];
    }
    for (std::int64_t u = 0; u < n; ++u) {
      if (differs.load(std::memory_order_relaxed)) return;
      const auto row = rows.row(u);
      auto at = low == 0 ? row.begin() : std::lower_bound(row.begin(), row.end(), low);
      const auto first = at;
      for (; at != row.end() && *at < high; ++at) {
        const Id v = *at;
        const edge_offset i = rows.offsets[u] + (at - row.begin()), j = next[v]++;
        bool same = j < rows.offsets[v + 1] && rows.indices[j] == u;
        if constexpr (!std::is_same_v<Weight, std::monostate>)
          same = same && detail::ordered_bits(weights[i]) == detail::ordered_bits(weights[j]);
        if (!same) {
          differs.store(true, std::memory_order_relaxed);
          return;
        }
      }
      watch.step(at - first + 1);
    }
  });
  return !differs.load(std::memory_order_relaxed);
}

bool mirrored(const graph& g, int threads, const std::stop_token& stop) {
  return g.visit([&](const auto& rows) {
    return std::visit(
        [&](const auto& w) {
          if constexpr (std::is_same_v<std::decay_t<decltype(w)>, std::monostate>)
            return mirrored(rows, static_cast<const std::monostate*>(nullptr), threads, stop);
          else
            return mirrored(rows, w.data(), threads, stop);
        },
        g.weights);
  });
}

/// True when parallel arcs stand in ascending order of their weights, in sorted rows.
bool in_builders_order(const graph& g, const std::stop_token& stop) {
  return g.visit([&](const auto& rows) {
    return std::visit(
        [&]<class Weights>(const Weights& w) {
          if constexpr (!std::is_same_v<Weights, std::monostate>) {
            detail::stop_watch watch(stop, "checking symmetry");
            for (std::int64_t v = 0; v < rows.vertices(); ++v) {
              watch.step(g.degree(v) + 1);
              for (edge_offset i = rows.offsets[v] + 1; i < rows.offsets[v + 1]; ++i)
                if (rows.indices[i] == rows.indices[i - 1] &&
                    detail::ordered_bits(w[i]) < detail::ordered_bits(w[i - 1]))
                  return false;
            }
          }
          return true;
        },
        g.weights);
  });
}

}  // namespace

bool is_symmetric(const graph& g, int threads, const std::stop_token& stop) {
  if (g.vertices() == 0) return true;
  if (g.sorted && mirrored(g, threads, stop)) return true;
  // Unsorted rows, or parallel arcs whose weights stand in another order: look at sorted rows. The
  // builder's rows are in that order already, and so are those without parallel arcs: most graphs
  // need no copy.
  if (g.sorted && in_builders_order(g, stop)) return false;
  build_options sort;
  sort.threads = threads;
  sort.stop = stop;
  return mirrored(rebuild(g, sort), threads, stop);
}

}  // namespace gossamer
