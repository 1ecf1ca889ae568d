// Statistics of a graph: one sweep over the rows, and what other parts of the layer know.
#include "gossamer/graph/statistics.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "gossamer/graph/builder.hpp"
#include "graph/components.hpp"

namespace gossamer {
namespace {

/// Degrees by counting: exact, and sums to O(n + largest degree) at most.
void degrees(const graph& g, graph_statistics& s) {
  const std::int64_t n = g.vertices();
  if (n == 0) return;
  s.minimum_degree = std::numeric_limits<std::int64_t>::max();
  std::vector<std::int64_t> sorted(static_cast<std::size_t>(n));
  for (std::int64_t v = 0; v < n; ++v) {
    const std::int64_t d = g.degree(v);
    sorted[v] = d;
    s.minimum_degree = std::min(s.minimum_degree, d);
    if (d > s.maximum_degree || s.maximum_degree_vertex < 0) {
      s.maximum_degree = d;
      s.maximum_degree_vertex = v;
    }
    const auto bucket = static_cast<std::size_t>(std::bit_width(static_cast<std::uint64_t>(d)));
    if (s.degree_histogram.size() <= bucket) s.degree_histogram.resize(bucket + 1, 0);
    ++s.degree_histogram[bucket];
  }
  s.mean_degree = static_cast<double>(g.arcs()) / static_cast<double>(n);
  auto from = sorted.begin();
  for (std::size_t i = 0; i < s.percents.size(); ++i) {
    // The vertex of rank ceil(n * percent / 100), counted from 1.
    const auto at =
        sorted.begin() + (n / 100 * s.percents[i] + (n % 100 * s.percents[i] + 99) / 100 - 1);
    std::nth_element(from, at, sorted.end());
    s.degree_percentiles[i] = *at;
    from = at;
  }
}

void arcs(const graph& g, graph_statistics& s) {
  const std::int64_t n = g.vertices();
  g.visit([&](const auto& rows) {
    std::vector<bool> touched(static_cast<std::size_t>(n), false);
    std::vector<typename std::decay_t<decltype(rows.indices)>::value_type> copy;
    for (std::int64_t v = 0; v < n; ++v) {
      auto row = rows.row(v);
      if (!row.empty()) touched[v] = true;
      if (!g.sorted) {
        copy.assign(row.begin(), row.end());
        std::sort(copy.begin(), copy.end());
      }
      for (std::size_t i = 0; i < row.size(); ++i) {
        touched[row[i]] = true;
        if (row[i] == v) ++s.self_loops;
        if (i > 0 && (g.sorted ? row[i] == row[i - 1] : copy[i] == copy[i - 1])) ++s.parallel_arcs;
      }
    }
    s.isolated_vertices = std::count(touched.begin(), touched.end(), false);
  });
}

weight_statistics weights(const graph& g) {
  weight_statistics s;
  static constexpr const char* types[] = {"", "int32", "float", "double"};
  s.present = g.weighted();
  s.type = types[g.weights.index()];
  s.source = g.weight_source;
  std::visit(
      [&](const auto& array) {
        if constexpr (!std::is_same_v<std::decay_t<decltype(array)>, std::monostate>) {
          bool any = false;
          for (const double w : array) {
            if (std::isnan(w)) {
              ++s.nans;
              continue;
            }
            s.zeros += w == 0;
            s.negatives += w < 0;
            s.minimum = any ? std::min(s.minimum, w) : w;
            s.maximum = any ? std::max(s.maximum, w) : w;
            any = true;
          }
        }
      },
      g.weights);
  return s;
}

}  // namespace

graph_statistics statistics(const graph& g, const statistics_options& options) {
  graph_statistics s;
  s.vertices = g.vertices();
  s.arcs = g.arcs();
  degrees(g, s);
  if (s.vertices > 0) arcs(g, s);
  s.weights = weights(g);
  if (options.symmetry) s.symmetric = g.symmetric || is_symmetric(g) ? 1 : 0;
  if (options.components && s.vertices > 0) {
    const detail::components weak = detail::weak_components(g);
    s.components = weak.count;
    s.largest_component = weak.largest;
  } else if (options.components) {
    s.components = s.largest_component = 0;
  }
  if (options.strong_components) {
    if (s.symmetric == 1 && s.components >= 0) {
      s.strong_components = s.components;
      s.largest_strong_component = s.largest_component;
    } else {
      const detail::strong strong = detail::strong_components(g);
      s.strong_components = strong.count;
      s.largest_strong_component = strong.largest;
    }
  }
  if (options.simple_edges) {
    if (s.symmetric == 1) {
      // A loop is no edge, and parallel loops are counted among the parallel arcs: count directly.
      graph bare = g;
      bare.weights = std::monostate{};
      build_options clean;
      clean.deduplicate = clean.remove_self_loops = true;
      s.undirected_simple_edges =
          s.parallel_arcs == 0 ? (s.arcs - s.self_loops) / 2 : rebuild(bare, clean).arcs() / 2;
    } else {
      graph bare = g;
      bare.weights = std::monostate{};
      build_options clean;
      clean.symmetrize = clean.deduplicate = clean.remove_self_loops = true;
      s.undirected_simple_edges = rebuild(bare, clean).arcs() / 2;
    }
  }
  return s;
}

}  // namespace gossamer
