// Strong components as callers see them: options checked, memory planned, arcs reversed once.
#include <algorithm>

#include "algorithm/driver/option_table.hpp"
#include "algorithm/driver/prepared_search.hpp"
#include "algorithm/strong_components/engine.hpp"
#include "gossamer/algorithm/strong_components.hpp"
#include "gossamer/base/error.hpp"

namespace gossamer {

using strong_components_detail::layout_of, strong_components_detail::problem_of;

namespace {

/// Why one of several GPUs works, and of ranks that share one.
constexpr const char* too_short_levels = "a level is over before two GPUs have met";

}  // namespace

template <>
struct algorithm_detail::search_state<strong_components_search>
    : algorithm_detail::prepared<strong_components_options> {
  using prepared::prepared;
  std::unique_ptr<strong_components_detail::engine> engine_made;

  static std::unique_ptr<search_state> made(machine& all, const graph& g,
                                            const strong_components_options& given) {
    auto asked = algorithm_detail::settle(given, all);
    g.require_here();
    require(!g.offsets.empty(),
            "strong_components: the graph has no offsets, not even of no vertices");
    auto made = std::make_unique<search_state>(
        all, g, std::move(asked),
        algorithm_detail::chosen_ranks(all, rank_use::automatic,
                                       all[0].is_cuda() ? too_short_levels : ""));
    search_state& s = *made;
    graph bare = g;
    bare.weights = {};
    const auto layout = layout_of(*s.on, problem_of(bare), s.options);
    layout.plan(s.options.memory).check();
    s.options.run.arenas = layout.arenas();
    s.engine_made = strong_components_detail::kind_of(s.engine.name).make({*s.on, bare, s.options});
    return made;
  }

  /// `g`: a graph or its shape.
  template <class Graph>
  static memory_plan plan(const machine& m, const Graph& g,
                          const strong_components_options& asked) {
    const auto options = algorithm_detail::settle(asked, m).options;
    return layout_of(m, problem_of(g), options).plan(options.memory);
  }
};

template class prepared_search<strong_components_search, strong_components_options>;

strong_components_result strong_components_search::run() {
  auto& s = *state_;
  auto result = s.result<strong_components_result>();
  s.engine_made->run(s.options.run, result);
  if (s.options.run.trace)
    s.options.run.trace->describe("strong_components", result.milliseconds,
                                  {{"count", result.count}}, result.engine);
  return result;
}

strong_components_result strong_components(machine& m, const graph& g,
                                           const strong_components_options& options) {
  return algorithm_detail::run_kept<strong_components_search>(m, g, options);
}

}  // namespace gossamer
