// Random walks as callers see them: options, weights and sources checked, memory planned.
#include <optional>
#include <string>

#include "algorithm/driver/option_table.hpp"
#include "algorithm/driver/prepared_search.hpp"
#include "algorithm/layouts/arc_weights.hpp"
#include "algorithm/random_walks/engine.hpp"
#include "gossamer/algorithm/random_walks.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/graph/memory_needs.hpp"

namespace gossamer {

using random_walks_detail::layout_of, random_walks_detail::problem_of;

template <>
struct algorithm_detail::search_state<random_walks_search>
    : algorithm_detail::prepared<random_walks_options> {
  using prepared::prepared;
  graph of;
  std::unique_ptr<random_walks_detail::engine> engine_made;

  random_walks_result run(const random_walks_detail::asked_sources& sources) {
    const std::int64_t count = sources ? std::ssize(*sources) : of.vertices();
    require_memory(
        of, std::to_string(options.walks) + " walks from " + std::to_string(count) + " sources",
        random_walks_detail::walk_bytes(count, of.id_width(), options), options.memory);
    auto made = result<random_walks_result>();
    made.length = options.length;
    engine_made->run(options.run, sources, made);
    if (options.run.trace)
      options.run.trace->describe("random_walks", made.milliseconds, {{"steps", made.steps}},
                                  made.engine);
    return made;
  }

  static std::unique_ptr<search_state> made(machine& all, const graph& g,
                                            const random_walks_options& given) {
    auto asked = algorithm_detail::settle(given, all);
    g.require_here();
    require(!g.offsets.empty(), "random_walks: the graph has no offsets, not even of no vertices");
    require(!asked.options.weighted || g.weighted(),
            "random_walks: " + g.name + " has no weights to walk by");
    auto made = std::make_unique<search_state>(
        all, g, std::move(asked), algorithm_detail::chosen_ranks(all, rank_use::all, ""));
    search_state& s = *made;
    s.of = g;
    if (!s.options.weighted) s.of.weights = {};
    const auto layout = layout_of(*s.on, problem_of(s.of), s.options, 0);
    layout.plan(s.options.memory).check();
    if (s.options.weighted)
      algorithm_detail::check_weights(g, "random_walks needs", s.options.run.cancel);
    s.options.run.arenas = layout.arenas();
    s.engine_made = random_walks_detail::kind_of(s.engine.name).make({*s.on, s.of, s.options});
    return made;
  }

  /// `g`: a graph or its shape.
  template <class Graph>
  static memory_plan plan(const machine& m, const Graph& g, const random_walks_options& asked,
                          std::optional<std::int64_t> sources = {}) {
    const auto options = algorithm_detail::settle(asked, m).options;
    const auto p = problem_of(g);
    return layout_of(m, p, options, sources.value_or(p.vertices)).plan(options.memory);
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
