// Communities as callers see them: options and weights checked, memory planned, and what follows
// from the labels.
#include <cmath>

#include "algorithm/communities/engine.hpp"
#include "algorithm/driver/option_table.hpp"
#include "algorithm/driver/prepared_search.hpp"
#include "algorithm/layouts/arc_weights.hpp"
#include "gossamer/algorithm/communities.hpp"
#include "gossamer/base/error.hpp"

namespace gossamer {

using communities_detail::layout_of, communities_detail::problem_of;

namespace {

/// Why one of several GPUs works, and of ranks that share one.
constexpr const char* too_small_graphs = "later levels have too little to do for several";

algorithm_detail::settled<communities_options> checked_options(const machine& m,
                                                               const communities_options& asked) {
  auto s = algorithm_detail::settle(asked, m);
  require(std::isfinite(s.options.resolution), "communities: resolution is not finite");
  return s;
}

}  // namespace

template <>
struct algorithm_detail::search_state<communities_search>
    : algorithm_detail::prepared<communities_options> {
  search_state(machine& all, const graph& g, algorithm_detail::settled<communities_options> asked)
      : prepared(all, g, std::move(asked),
                 algorithm_detail::chosen_ranks(all, rank_use::automatic,
                                                all[0].is_cuda() ? too_small_graphs : "")),
        of(g) {}
  graph of;
  int threads = 0;  ///< of all ranks, or of the host that has GPUs
  std::unique_ptr<communities_detail::engine> engine_made;

  static std::unique_ptr<search_state> made(machine& all, const graph& g,
                                            const communities_options& given) {
    auto asked = checked_options(all, given);
    g.require_here();
    require(!g.offsets.empty(), "communities: the graph has no offsets, not even of no vertices");
    require(g.symmetric, "communities: " + g.name +
                             " is directed, and communities are of undirected graphs: make it one "
                             "(--symmetrize, rebuild(symmetrize=True))");
    auto made = std::make_unique<search_state>(all, g, std::move(asked));
    search_state& s = *made;
    const auto layout = layout_of(*s.on, problem_of(g), s.options);
    layout.plan(s.options.memory).check();
    if (!std::holds_alternative<std::monostate>(g.weights))
      algorithm_detail::check_weights(g, "communities needs", s.options.run.cancel);
    s.options.run.arenas = layout.arenas();
    for (int r = 0; r < s.on->size(); ++r)
      s.threads += (*s.on)[r].is_cuda() ? host().cores : (*s.on)[r].threads;
    s.engine_made = communities_detail::kind_of(s.engine.name).make({*s.on, s.of, s.options});
    return made;
  }

  /// `g`: a graph or its shape.
  template <class Graph>
  static memory_plan plan(const machine& m, const Graph& g, const communities_options& asked) {
    const auto options = checked_options(m, asked).options;
    return layout_of(m, problem_of(g), options).plan(options.memory);
  }
};

template class prepared_search<communities_search, communities_options>;

communities_result communities_search::run() {
  auto& s = *state_;
  auto result = s.result<communities_result>();
  s.engine_made->run(s.options.run, result);
  const int threads = (*s.on)[0].model == nullptr ? std::min(s.threads, host().cores) : 1;
  result.modularity =
      modularity(s.of, result.labels.get(), s.options.resolution, threads, s.options.run.cancel);
  if (s.options.run.trace)
    s.options.run.trace->describe("communities", result.milliseconds, {{"count", result.count}},
                                  result.engine);
  return result;
}

communities_result communities(machine& m, const graph& g, const communities_options& options) {
  return algorithm_detail::run_kept<communities_search>(m, g, options);
}

}  // namespace gossamer
