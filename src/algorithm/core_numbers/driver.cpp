// Core numbers as callers see them: options checked, memory planned, degrees counted once.
#include <algorithm>

#include "algorithm/core_numbers/engine.hpp"
#include "algorithm/driver/option_table.hpp"
#include "algorithm/driver/prepared_search.hpp"
#include "gossamer/algorithm/core_numbers.hpp"
#include "gossamer/base/error.hpp"

namespace gossamer {

using core_numbers_detail::layout_of, core_numbers_detail::problem_of;

namespace {

/// Why one of several GPUs works, and of ranks that share one.
constexpr const char* too_short_levels = "a level is over before two GPUs have met";

}  // namespace

template <>
struct algorithm_detail::search_state<core_numbers_search>
    : algorithm_detail::prepared<core_numbers_options> {
  using prepared::prepared;
  std::unique_ptr<core_numbers_detail::engine> engine_made;

  static std::unique_ptr<search_state> made(machine& all, const graph& g,
                                            const core_numbers_options& given) {
    auto asked = algorithm_detail::settle(given, all);
    g.require_here();
    require(!g.offsets.empty(), "core_numbers: the graph has no offsets, not even of no vertices");
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
    s.engine_made = core_numbers_detail::kind_of(s.engine.name).make({*s.on, bare, s.options});
    return made;
  }

  /// `g`: a graph or its shape.
  template <class Graph>
  static memory_plan plan(const machine& m, const Graph& g, const core_numbers_options& asked) {
    const auto options = algorithm_detail::settle(asked, m).options;
    return layout_of(m, problem_of(g), options).plan(options.memory);
  }
};

template class prepared_search<core_numbers_search, core_numbers_options>;

core_numbers_result core_numbers_search::run() {
  auto& s = *state_;
  auto result = s.result<core_numbers_result>();
  s.engine_made->run(s.options.run, result);
  if (s.options.run.trace)
    s.options.run.trace->describe("core_numbers", result.milliseconds,
                                  {{"degeneracy", result.degeneracy}}, result.engine);
  return result;
}

core_numbers_result core_numbers(machine& m, const graph& g, const core_numbers_options& options) {
  return algorithm_detail::run_kept<core_numbers_search>(m, g, options);
}

}  // namespace gossamer
