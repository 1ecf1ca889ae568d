// Statistics of a graph: parallel sweeps over the rows, and what other parts of the layer know.
#include "gossamer/graph/statistics.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <limits>

#include "gossamer/graph/builder.hpp"
#include "gossamer/graph/memory_needs.hpp"
#include "graph/components.hpp"
#include "graph/parallel.hpp"
#include "graph/statistics/neighbours.hpp"

namespace gossamer {
namespace {

constexpr const char* statistics_work = "statistics";

/// How often each degree occurs: counters for degrees below `counted`, the others one by one.
struct degree_counts {
  static constexpr std::int64_t counted = 1 << 12;
  std::vector<std::int64_t> count, above;
  void add(std::int64_t degree) {
    if (count.empty()) count.resize(counted, 0);
    if (degree < counted)
      ++count[degree];
    else
      above.push_back(degree);
  }
  degree_counts& operator+=(const degree_counts& other) {
    if (count.empty()) count.resize(counted, 0);
    for (std::size_t d = 0; d < other.count.size(); ++d) count[d] += other.count[d];
    above.insert(above.end(), other.above.begin(), other.above.end());
    return *this;
  }
};

/// Exact degree statistics in O(n): few vertices have degrees that are sorted one by one.
void degrees(const graph& g, graph_statistics& s, int threads, const std::stop_token& stop) {
  const std::int64_t n = g.vertices();
  if (n == 0) return;
  auto found = detail::sum_ranges<degree_counts>(
      threads, n, detail::vertex_grain, stop, statistics_work,
      [&](std::int64_t first, std::int64_t last, degree_counts& sum) {
        for (std::int64_t v = first; v < last; ++v) sum.add(g.degree(v));
      });
  std::sort(found.above.begin(), found.above.end());
  // Vertices of each degree in ascending order, as runs.
  std::int64_t seen = 0;
  std::size_t next = 0;
  const auto run = [&](std::int64_t degree, std::int64_t count) {
    if (count == 0) return;
    if (seen == 0) s.minimum_degree = degree;
    s.maximum_degree = degree;
    const auto bin = static_cast<std::size_t>(std::bit_width(static_cast<std::uint64_t>(degree)));
    if (s.degree_histogram.size() <= bin) s.degree_histogram.resize(bin + 1, 0);
    s.degree_histogram[bin] += count;
    seen += count;
    for (; next < s.per_mille.size(); ++next) {
      // The vertex of rank ceil(n * share), counted from 1; the first for the share 0.
      const std::int64_t share = s.per_mille[next];
      const std::int64_t rank = n / 1000 * share + (n % 1000 * share + 999) / 1000;
      if (seen < std::max<std::int64_t>(1, rank)) break;
      s.degree_percentiles[next] = degree;
    }
  };
  for (std::int64_t d = 0; d < degree_counts::counted; ++d) run(d, found.count[d]);
  for (const std::int64_t d : found.above) run(d, 1);
  s.mean_degree = static_cast<double>(g.arcs()) / static_cast<double>(n);
  for (std::int64_t v = 0; s.maximum_degree_vertex < 0; ++v)
    if (g.degree(v) == s.maximum_degree) s.maximum_degree_vertex = v;
}

struct arc_counts {
  std::int64_t loops = 0, parallel = 0;
  arc_counts& operator+=(const arc_counts& other) {
    loops += other.loops;
    parallel += other.parallel;
    return *this;
  }
};

void arcs(const graph& g, graph_statistics& s, int threads, const std::stop_token& stop) {
  const std::int64_t n = g.vertices();
  // looped[v] is written by the thread that has row v; joined[u] by any, always with 1.
  std::vector<std::uint8_t> looped(static_cast<std::size_t>(n), 0), joined(looped);
  const auto join = [&](std::int64_t v) {
    std::atomic_ref(joined[v]).store(1, std::memory_order_relaxed);
  };
  const auto sum = g.visit([&](const auto& rows) {
    return detail::sum_ranges<arc_counts>(
        threads, n, detail::vertex_grain, stop, statistics_work,
        [&](std::int64_t first, std::int64_t last, arc_counts& here) {
          std::vector<typename std::decay_t<decltype(rows.indices)>::value_type> copy;
          for (std::int64_t v = first; v < last; ++v) {
            auto row = rows.row(v);
            if (!g.sorted) {
              copy.assign(row.begin(), row.end());
              std::sort(copy.begin(), copy.end());
            }
            for (std::size_t i = 0; i < row.size(); ++i) {
              if (row[i] == v) {
                ++here.loops;
                looped[v] = 1;
              } else {
                join(v);
                if (!g.symmetric) join(row[i]);
              }
              if (i > 0 && (g.sorted ? row[i] == row[i - 1] : copy[i] == copy[i - 1]))
                ++here.parallel;
            }
          }
        });
  });
  s.self_loops = sum.loops;
  s.parallel_arcs = sum.parallel;
  detail::stop_watch watch(stop, statistics_work);
  for (std::int64_t v = 0; v < n; ++v) {
    watch.step();
    s.isolated_vertices += (looped[v] | joined[v]) == 0;
    s.loop_vertices += looped[v] == 1 && joined[v] == 0;
  }
}

struct weight_counts {
  double minimum = std::numeric_limits<double>::infinity(), maximum = -minimum;
  std::int64_t zeros = 0, negatives = 0, nans = 0;
  weight_counts& operator+=(const weight_counts& other) {
    minimum = std::min(minimum, other.minimum);
    maximum = std::max(maximum, other.maximum);
    zeros += other.zeros;
    negatives += other.negatives;
    nans += other.nans;
    return *this;
  }
};

weight_statistics weights(const graph& g, int threads, const std::stop_token& stop) {
  weight_statistics s;
  static constexpr const char* types[] = {"", "int32", "float", "double"};
  s.present = g.weighted();
  s.type = types[g.weights.index()];
  s.source = g.weight_source;
  std::visit(
      [&](const auto& array) {
        if constexpr (!std::is_same_v<std::decay_t<decltype(array)>, std::monostate>) {
          const auto sum = detail::sum_ranges<weight_counts>(
              threads, g.arcs(), 1 << 16, stop, statistics_work,
              [&](std::int64_t first, std::int64_t last, weight_counts& here) {
                for (std::int64_t i = first; i < last; ++i) {
                  const double w = array[i];
                  if (std::isnan(w)) {
                    ++here.nans;
                    continue;
                  }
                  here.zeros += w == 0;
                  here.negatives += w < 0;
                  here.minimum = std::min(here.minimum, w);
                  here.maximum = std::max(here.maximum, w);
                }
              });
          if (sum.nans < g.arcs()) {
            s.minimum = sum.minimum;
            s.maximum = sum.maximum;
          }
          s.zeros = sum.zeros;
          s.negatives = sum.negatives;
          s.nans = sum.nans;
        }
      },
      g.weights);
  return s;
}

/// Pairs {u,v}, u != v, of a graph with sorted rows.
std::int64_t simple_edges(const graph& g, int threads, const std::stop_token& stop) {
  return g.visit([&](const auto& rows) {
    return detail::sum_ranges<std::int64_t>(
        threads, g.vertices(), detail::vertex_grain, stop, statistics_work,
        [&](std::int64_t first, std::int64_t last, std::int64_t& sum) {
          for (std::int64_t v = first; v < last; ++v)
            detail::for_neighbours(rows, g.symmetric, v, [&](auto, bool own) { sum += own; });
        });
  });
}

void components(const graph& g, graph_statistics& s, const statistics_options& options,
                int threads) {
  if (options.components) {
    const detail::components weak = detail::weak_components(g, threads, options.stop);
    s.components = weak.count;
    s.largest_component = weak.largest;
  }
  if (!options.strong_components) return;
  if (s.symmetric == 1 && s.components >= 0) {
    s.strong_components = s.components;
    s.largest_strong_component = s.largest_component;
  } else {
    const detail::strong strong = detail::strong_components(g, options.stop);
    s.strong_components = strong.count;
    s.largest_strong_component = strong.largest;
  }
}

}  // namespace

graph_statistics statistics(const graph& g, const statistics_options& options) {
  require(options.threads >= 0, "statistics: negative number of threads");
  const std::stop_token& stop = options.stop;
  const int threads =
      g.vertices() + g.arcs() < 32768 ? 1 : detail::resolve_threads(options.threads);
  require_memory(g, "counting", statistics_bytes(graph_sizes::of(g), options), options.memory);
  graph_statistics s;
  s.vertices = g.vertices();
  s.arcs = g.arcs();
  degrees(g, s, threads, stop);
  arcs(g, s, threads, stop);
  s.weights = weights(g, threads, stop);
  if (options.symmetry) s.symmetric = g.symmetric || is_symmetric(g, threads, stop) ? 1 : 0;
  components(g, s, options, threads);
  if (!options.simple_edges && !options.triangles) return s;
  graph bare = g;  // shares the arrays
  bare.weights = std::monostate{};
  if (!g.sorted) {
    build_options sort;
    sort.threads = threads;
    sort.memory = options.memory;
    sort.stop = stop;
    bare = rebuild(bare, sort);
  }
  if (options.simple_edges) {
    // A loop is no edge, and parallel loops are counted among the parallel arcs: count directly.
    s.undirected_simple_edges = s.symmetric == 1 && s.parallel_arcs == 0
                                    ? (s.arcs - s.self_loops) / 2
                                    : simple_edges(bare, threads, stop);
  }
  if (options.triangles) s.triangles = count_triangles(bare, threads, stop, options.memory);
  return s;
}

}  // namespace gossamer
