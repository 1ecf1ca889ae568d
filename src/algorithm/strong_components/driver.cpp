// Strong components as callers see them: options checked, memory planned, arcs reversed once.
#include <algorithm>

#include "algorithm/driver/option_table.hpp"
#include "algorithm/driver/whole_graph_search.hpp"
#include "algorithm/strong_components/engine.hpp"
#include "gossamer/algorithm/strong_components.hpp"
#include "gossamer/base/error.hpp"

namespace gossamer {

using strong_components_detail::layout_of, strong_components_detail::problem_of;

template <>
struct algorithm_detail::search_state<strong_components_search>
    : algorithm_detail::whole_graph_state<strong_components_search, strong_components_options,
                                          strong_components_detail::kind_of> {
  using whole_graph_state::whole_graph_state;

  template <class Graph>
  static memory_layout layout(const machine& m, const Graph& g,
                              const strong_components_options& o) {
    return layout_of(m, problem_of(g), o);
  }

  static std::string why_one(const machine&, const strong_components_options&, bool) {
    return "a level is over before two GPUs have met";
  }
};

template class prepared_search<strong_components_search, strong_components_options>;

strong_components_result strong_components_search::run() {
  auto& s = *state_;
  auto result = s.result<strong_components_result>();
  s.engine_made->run(s.options.run, result);
  s.describe(result, "count", result.count);
  return result;
}

strong_components_result strong_components(machine& m, const graph& g,
                                           const strong_components_options& options) {
  return algorithm_detail::run_kept<strong_components_search>(m, g, options);
}

}  // namespace gossamer
