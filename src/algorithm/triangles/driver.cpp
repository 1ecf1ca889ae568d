// Triangles as callers see them: options checked, memory planned, rows laid out once, and what
// follows from the counts.
#include "algorithm/driver/option_table.hpp"
#include "algorithm/driver/prepared_search.hpp"
#include "algorithm/triangles/engine.hpp"
#include "gossamer/algorithm/triangles.hpp"
#include "gossamer/base/error.hpp"

namespace gossamer {

using triangles_detail::layout_of, triangles_detail::problem_of;

namespace {

/// Without the weights that nobody looks at.
graph counted_graph(graph g, const triangles_options& o) {
  if (!o.weighted) g.weights = {};
  return g;
}

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
    : algorithm_detail::prepared<triangles_options> {
  using prepared::prepared;
  std::unique_ptr<triangles_detail::engine> engine_made;

  static std::unique_ptr<search_state> made(machine& all, const graph& g,
                                            const triangles_options& given) {
    auto asked = algorithm_detail::settle(given, all);
    g.require_here();
    require(!g.offsets.empty(), "triangles: the graph has no offsets, not even of no vertices");
    require(!asked.options.weighted || g.weighted(),
            "triangles: " + g.name + " has no weights for triangles to be worth");
    auto made = std::make_unique<search_state>(
        all, g, std::move(asked), algorithm_detail::chosen_ranks(all, rank_use::all, ""));
    search_state& s = *made;
    const graph counted = counted_graph(g, s.options);
    const auto layout = layout_of(*s.on, problem_of(counted, s.options), s.options);
    layout.plan(s.options.memory).check();
    s.options.run.arenas = layout.arenas();
    s.engine_made = triangles_detail::kind_of(s.engine.name).make({*s.on, counted, s.options});
    return made;
  }

  /// `g`: a graph or its shape.
  template <class Graph>
  static memory_plan plan(const machine& m, const Graph& g, const triangles_options& asked) {
    const auto options = algorithm_detail::settle(asked, m).options;
    return layout_of(m, problem_of(g, options), options).plan(options.memory);
  }
};

template class prepared_search<triangles_search, triangles_options>;

triangles_result triangles_search::run() {
  auto& s = *state_;
  auto result = s.result<triangles_result>();
  s.engine_made->run(s.options.run, result);
  describe_clustering(result);
  if (s.options.run.trace)
    s.options.run.trace->describe("triangles", result.milliseconds, {{"total", result.total}},
                                  result.engine);
  return result;
}

triangles_result triangles(machine& m, const graph& g, const triangles_options& options) {
  return algorithm_detail::run_kept<triangles_search>(m, g, options);
}

}  // namespace gossamer
