// Random walks as callers see them: options, weights and sources checked, memory planned.
#include <optional>
#include <string>

#include "algorithm/driver/option_table.hpp"
#include "algorithm/driver/whole_graph_search.hpp"
#include "algorithm/layouts/arc_weights.hpp"
#include "algorithm/random_walks/engine.hpp"
#include "gossamer/algorithm/random_walks.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/graph/memory_needs.hpp"

namespace gossamer {

using random_walks_detail::layout_of, random_walks_detail::problem_of;

template <>
struct algorithm_detail::search_state<random_walks_search>
    : algorithm_detail::whole_graph_state<random_walks_search, random_walks_options,
                                          random_walks_detail::kind_of> {
  using whole_graph_state::whole_graph_state;

  /// Without `sources` of walks from every vertex. What walks take is refused by run() alone, which
  /// knows how many there are.
  template <class Graph>
  static memory_plan plan(const machine& m, const Graph& g, const random_walks_options& asked,
                          std::optional<std::int64_t> sources = {}) {
    const auto options = settle(asked, m).options;
    const auto p = problem_of(g);
    return layout_of(m, p, options, sources.value_or(p.vertices)).plan(options.memory);
  }
  static memory_layout layout(const machine& m, const graph& g, const random_walks_options& o) {
    return layout_of(m, problem_of(g), o, 0);
  }

  static void check(const graph& g, const random_walks_options& o) {
    if (o.weighted) require_weights(g, "random_walks", "to walk by");
  }
  static graph read(graph g, const random_walks_options& o) {
    if (!o.weighted) g.weights = {};
    return g;
  }
  static void check_values(const graph& g, const random_walks_options& o) {
    if (o.weighted) check_weights(g, "random_walks needs", o.run.cancel);
  }

  random_walks_result run(const random_walks_detail::asked_sources& sources) {
    const std::int64_t count = sources ? std::ssize(*sources) : of.vertices();
    require_memory(
        of, std::to_string(options.walks) + " walks from " + std::to_string(count) + " sources",
        random_walks_detail::walk_bytes(count, of.id_width(), options), options.memory);
    auto made = result<random_walks_result>();
    made.length = options.length;
    engine_made->run(options.run, sources, made);
    describe(made, "steps", made.steps);
    return made;
  }
};

template class prepared_search<random_walks_search, random_walks_options>;

memory_plan random_walks_search::plan(const machine& all, const graph& g,
                                      const random_walks_options& options, std::int64_t sources) {
  return state::plan(all, g, options, sources);
}

memory_plan random_walks_search::plan(const machine& all, const graph_shape& g,
                                      const random_walks_options& options, std::int64_t sources) {
  return state::plan(all, g, options, sources);
}

random_walks_result random_walks_search::run() {
  return state_->run({});
}

random_walks_result random_walks_search::run(std::span<const std::int64_t> sources) {
  const std::int64_t n = state_->of.vertices();
  for (const std::int64_t v : sources)
    require(v >= 0 && v < n, [&] {
      return "random_walks: source " + std::to_string(v) + " is no vertex: the graph has " +
             std::to_string(n);
    });
  return state_->run(sources);
}

random_walks_result random_walks(machine& m, const graph& g, const random_walks_options& options) {
  return algorithm_detail::run_kept<random_walks_search>(m, g, options);
}

}  // namespace gossamer
