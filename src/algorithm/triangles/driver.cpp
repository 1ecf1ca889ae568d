// Triangles as callers see them: options checked, memory planned, rows laid out once, and what
// follows from the counts.
#include "algorithm/driver/option_table.hpp"
#include "algorithm/driver/whole_graph_search.hpp"
#include "algorithm/layouts/arc_weights.hpp"
#include "algorithm/triangles/engine.hpp"
#include "gossamer/algorithm/triangles.hpp"
#include "gossamer/base/error.hpp"

namespace gossamer {

using triangles_detail::layout_of, triangles_detail::problem_of;

namespace {

/// Sums in the order of vertices: the same with any number of ranks.
void describe_clustering(triangles_result& result) {
  double share = 0, worth = 0, pairs = 0;
  const auto of = result.pairs.span();
  std::visit(
      [&](const auto& counts) {
        for (std::size_t v = 0; v < of.size(); ++v) {
          if (of[v] == 0) continue;
          const auto count = static_cast<double>(counts[v]);
          share += count / static_cast<double>(of[v]);
          worth += count;
          pairs += static_cast<double>(of[v]);
        }
      },
      result.counts.get());
  if (!of.empty()) result.average_clustering = share / static_cast<double>(of.size());
  if (pairs > 0) result.transitivity = worth / pairs;
}

}  // namespace

template <>
struct algorithm_detail::search_state<triangles_search>
    : algorithm_detail::whole_graph_state<triangles_search, triangles_options,
                                          triangles_detail::kind_of> {
  using whole_graph_state::whole_graph_state;

  template <class Graph>
  static memory_layout layout(const machine& m, const Graph& g, const triangles_options& o) {
    return layout_of(m, problem_of(g, o), o);
  }

  static void check(const graph& g, const triangles_options& o) {
    if (o.weighted) algorithm_detail::require_weights(g, "triangles", "for triangles to be worth");
  }
  static graph read(graph g, const triangles_options& o) {
    if (!o.weighted) g.weights = {};
    return g;
  }
};

template class prepared_search<triangles_search, triangles_options>;

triangles_result triangles_search::run() {
  auto& s = *state_;
  auto result = s.result<triangles_result>();
  s.engine_made->run(s.options.run, result);
  describe_clustering(result);
  s.describe(result, "total", result.total);
  return result;
}

triangles_result triangles(machine& m, const graph& g, const triangles_options& options) {
  return algorithm_detail::run_kept<triangles_search>(m, g, options);
}

}  // namespace gossamer
