// Communities as callers see them: options and weights checked, memory planned, and what follows
// from the labels.
#include <cmath>

#include "algorithm/communities/engine.hpp"
#include "algorithm/driver/option_table.hpp"
#include "algorithm/driver/prepared.hpp"
#include "algorithm/layouts/arc_weights.hpp"
#include "gossamer/algorithm/communities.hpp"
#include "gossamer/base/error.hpp"

namespace gossamer {

using communities_detail::layout_of, communities_detail::problem_of;

namespace {

/// Why one of several GPUs works, and of ranks that share one.
constexpr const char* too_small_graphs = "later levels have too little to do for several";

algorithm_detail::settled<communities_options> settle(const machine& m,
                                                      const communities_options& asked) {
  auto s = algorithm_detail::settle(asked, m);
  require(std::isfinite(s.options.resolution), "communities: resolution is not finite");
  return s;
}

/// `g`: a graph or its shape.
template <class Graph>
memory_plan plan_on(const machine& m, const Graph& g, const communities_options& asked) {
  const auto options = settle(m, asked).options;
  return layout_of(m, problem_of(g), options).plan(options.memory);
}

}  // namespace

struct communities_search::state : algorithm_detail::prepared<communities_options> {
  state(machine& all, const graph& g, algorithm_detail::settled<communities_options> asked)
      : prepared(all, g, std::move(asked),
                 algorithm_detail::chosen_ranks(all, rank_use::automatic,
                                                all[0].is_cuda() ? too_small_graphs : "")),
        of(g) {}
  graph of;
  int threads = 0;  ///< of all ranks, or of the host that has GPUs
  std::unique_ptr<communities_detail::engine> engine_made;
};

communities_search::communities_search(machine& all, const graph& g,
                                       const communities_options& given) {
  auto asked = settle(all, given);
  g.require_here();
  require(!g.offsets.empty(), "communities: the graph has no offsets, not even of no vertices");
  require(g.symmetric, "communities: " + g.name +
                           " is directed, and communities are of undirected graphs: make it one "
                           "(--symmetrize, rebuild(symmetrize=True))");
  state_ = std::make_unique<state>(all, g, std::move(asked));
  state& s = *state_;
  const auto layout = layout_of(*s.on, problem_of(g), s.options);
  layout.plan(s.options.memory).check();
  if (!std::holds_alternative<std::monostate>(g.weights))
    algorithm_detail::check_weights(g, "communities needs", s.options.run.cancel);
  s.options.run.arenas = layout.arenas();
  for (int r = 0; r < s.on->size(); ++r)
    s.threads += (*s.on)[r].is_cuda() ? host().cores : (*s.on)[r].threads;
  s.engine_made = communities_detail::kind_of(s.engine.name).make({*s.on, s.of, s.options});
}

communities_search::~communities_search() = default;
communities_search::communities_search(communities_search&&) noexcept = default;

memory_plan communities_search::plan(const machine& all, const graph& g,
                                     const communities_options& options) {
  return plan_on(all, g, options);
}

memory_plan communities_search::plan(const machine& all, const graph_shape& g,
                                     const communities_options& options) {
  return plan_on(all, g, options);
}

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

void communities_search::follow(const run_options& how) {
  state_->options.run.follow(how);
}

std::shared_ptr<communities_search> communities_search::prepare(machine& all, const graph& g,
                                                                const communities_options& o) {
  return algorithm_detail::kept_search<communities_search>(all, g, o);
}

communities_result communities(machine& m, const graph& g, const communities_options& options) {
  return kept::run(communities_search::prepare(m, g, options), options.run,
                   [](communities_search& search) { return search.run(); });
}

}  // namespace gossamer
