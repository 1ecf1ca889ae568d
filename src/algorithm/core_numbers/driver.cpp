// Core numbers as callers see them: options checked, memory planned, degrees counted once.
#include <algorithm>

#include "algorithm/core_numbers/engine.hpp"
#include "algorithm/driver/option_table.hpp"
#include "algorithm/driver/whole_graph_search.hpp"
#include "gossamer/algorithm/core_numbers.hpp"
#include "gossamer/base/error.hpp"

namespace gossamer {

using core_numbers_detail::layout_of, core_numbers_detail::problem_of;

template <>
struct algorithm_detail::search_state<core_numbers_search>
    : algorithm_detail::whole_graph_state<core_numbers_search, core_numbers_options,
                                          core_numbers_detail::kind_of> {
  using whole_graph_state::whole_graph_state;

  template <class Graph>
  static memory_layout layout(const machine& m, const Graph& g, const core_numbers_options& o) {
    return layout_of(m, problem_of(g), o);
  }

  static std::string why_one(const machine&, const core_numbers_options&, bool) {
    return "a level is over before two GPUs have met";
  }
};

template class prepared_search<core_numbers_search, core_numbers_options>;

core_numbers_result core_numbers_search::run() {
  auto& s = *state_;
  auto result = s.result<core_numbers_result>();
  s.engine_made->run(s.options.run, result);
  s.describe(result, "degeneracy", result.degeneracy);
  return result;
}

core_numbers_result core_numbers(machine& m, const graph& g, const core_numbers_options& options) {
  return algorithm_detail::run_kept<core_numbers_search>(m, g, options);
}

}  // namespace gossamer
