// Communities as callers see them: options and weights checked, memory planned, and what follows
// from the labels.
#include <cmath>

#include "algorithm/communities/engine.hpp"
#include "algorithm/driver/option_table.hpp"
#include "algorithm/driver/whole_graph_search.hpp"
#include "algorithm/layouts/arc_weights.hpp"
#include "gossamer/algorithm/communities.hpp"
#include "gossamer/base/error.hpp"

namespace gossamer {

using communities_detail::layout_of, communities_detail::problem_of;

namespace {

/// Of all ranks, or of the host that has GPUs; one where time is modelled.
int threads_beside(const machine& m) {
  if (m[0].model != nullptr) return 1;
  int threads = 0;
  for (int r = 0; r < m.size(); ++r) threads += m[r].is_cuda() ? host().cores : m[r].threads;
  return std::min(threads, host().cores);
}

}  // namespace

template <>
struct algorithm_detail::search_state<communities_search>
    : algorithm_detail::whole_graph_state<communities_search, communities_options,
                                          communities_detail::kind_of> {
  using whole_graph_state::whole_graph_state;

  template <class Graph>
  static memory_layout layout(const machine& m, const Graph& g, const communities_options& o) {
    return layout_of(m, problem_of(g), o);
  }

  static settled<communities_options> settled_on(const machine& all,
                                                 const communities_options& asked) {
    auto s = settle(asked, all);
    require(std::isfinite(s.options.resolution), "communities: resolution is not finite");
    return s;
  }
  static std::string why_one(const machine&, const communities_options&, bool) {
    return "later levels have too little to do for several";
  }
  static void check(const graph& g, const communities_options&) {
    require(g.symmetric, "communities: " + g.name +
                             " is directed, and communities are of undirected graphs: make it one "
                             "(--symmetrize, rebuild(symmetrize=True))");
  }
  static graph read(const graph& g, const communities_options&) { return g; }
  static void check_values(const graph& g, const communities_options& o) {
    if (!std::holds_alternative<std::monostate>(g.weights))
      check_weights(g, "communities needs", o.run.cancel);
  }
};

template class prepared_search<communities_search, communities_options>;

communities_result communities_search::run() {
  auto& s = *state_;
  auto result = s.result<communities_result>();
  s.engine_made->run(s.options.run, result);
  result.modularity = modularity(s.of, result.labels.get(), s.options.resolution,
                                 threads_beside(*s.on), s.options.run.cancel);
  s.describe(result, "count", result.count);
  return result;
}

communities_result communities(machine& m, const graph& g, const communities_options& options) {
  return algorithm_detail::run_kept<communities_search>(m, g, options);
}

}  // namespace gossamer
