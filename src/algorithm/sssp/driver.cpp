// The search as callers see it: options and weights checked, memory planned, then one run a source.
#include <cmath>

#include "algorithm/driver/option_table.hpp"
#include "algorithm/driver/placement_choice.hpp"
#include "algorithm/driver/prepared_search.hpp"
#include "algorithm/driver/readable.hpp"
#include "algorithm/driver/vertex_worklist.hpp"
#include "algorithm/layouts/degree_facts.hpp"
#include "algorithm/sssp/engine.hpp"
#include "gossamer/base/shown.hpp"
#include "gossamer/dataflow/worklist/short_rows.hpp"
#include "gossamer/graph/advice.hpp"

namespace gossamer {

using sssp_detail::layout_of, sssp_detail::problem_of;

namespace {

std::string reason_of_delta(const graph& g, const sssp_options& options) {
  if (options.priority != "soft") return "";
  if (options.delta) return "as asked for";
  return advised_delta(g) ? "named by the graph's metadata" : "chosen from weights and degrees";
}

/// Of several GPUs.
bool searches_on_one(const machine& m, const std::string& engine) {
  return m.size() > 1 && m[0].is_cuda() && !sssp_detail::kind_of(engine).placed(m);
}

constexpr const char* one_gpu = "engine sync of sssp searches on one GPU";

/// What is known without a graph.
void check_delta(const sssp_options& options) {
  if (!options.delta) return;
  require(algorithm_detail::is_soft(options),
          "sssp: delta is the width of windows, and priority 'none' has none");
  require(*options.delta > 0 && std::isfinite(*options.delta),
          "sssp: delta " + shown(*options.delta) + " is not a positive number");
}

/// With the longest row, where a choice of ranks asks for it.
graph_shape shape_for(const machine& m, const graph& g) {
  graph_shape shape{g.vertices(), g.arcs(), g.id_width(), g.symmetric};
  if (algorithm_detail::may_use_fewer(m))
    shape.longest_row = algorithm_detail::degrees_of(g).longest;
  return shape;
}

/// Whether several GPUs that go in step (pull.cuh) take less time than one: arcs lead both ways,
/// are many, and most of them lead to hubs, which are settled early.
bool gains_from_several(const machine& m, const graph_shape& g) {
  if (!algorithm_detail::may_use_fewer(m) || !m.all_direct() || !g.symmetric) return false;
  constexpr std::int64_t hub = 16;  // times the mean row
  return g.arcs >= algorithm_detail::arcs_for_several_gpus &&
         g.longest_row > hub * (g.arcs / std::max<std::int64_t>(1, g.vertices));
}

algorithm_detail::settled<sssp_options> settle(const machine& m, const graph_shape& g,
                                               const sssp_options& asked) {
  auto s = algorithm_detail::settle(asked, m, [&](const sssp_options& options) {
    return sssp_detail::auto_engine(m, algorithm_detail::use_of(options), gains_from_several(m, g));
  });
  auto& options = s.options;
  options.use = algorithm_detail::use_of(options);
  check_delta(options);
  require(options.partition == "auto" || !searches_on_one(m, options.engine),
          "sssp: partition '" + options.partition + "' is one for all ranks, and " + one_gpu +
              "; engines async and host search on all");
  return s;
}

/// Rows of unknown length count as long.
bool is_network(const graph_shape& g) {
  return g.longest_row > 0 && dataflow::has_short_rows(g.vertices, g.arcs, g.longest_row);
}

/// `problem_on(machine)` makes the problem for a machine. `options` names an engine, not auto.
template <class Problem>
algorithm_detail::chosen_ranks choose_ranks(const machine& all, const graph_shape& g,
                                            const sssp_options& options,
                                            const Problem& problem_on) {
  if (!sssp_detail::kind_of(options.engine).worklist || options.use == rank_use::all ||
      !algorithm_detail::may_use_fewer(all))
    return {all, options.use, ""};
  const machine one = machine::open("cuda:" + std::to_string(all[0].ordinal));
  const sssp_detail::problem p = problem_on(one);
  const bool network = is_network(g);
  const memory_plan alone = layout_of(one, p, options).plan(options.memory);
  if ((!network && p.arcs >= algorithm_detail::arcs_for_several_gpus) ||
      alone.of(0) > alone.limit.front())
    return {all, options.use, ""};
  return {all, options.use,
          network ? algorithm_detail::too_little_for_several
                  : "to tell each other takes several longer than one takes to search " +
                        std::to_string(p.arcs) + " arcs"};
}

}  // namespace

struct sssp_search::state : algorithm_detail::prepared<sssp_options> {
  using prepared::prepared;
  std::int64_t vertices = 0;
  double delta = 0;  ///< 0: no windows
  std::string delta_reason;
  std::unique_ptr<sssp_detail::engine> engine_made;
};

sssp_search::sssp_search(machine& all, const graph& g, const sssp_options& given) {
  graph_file(g).check();  // before weights are read
  const graph_shape shape = shape_for(all, g);
  auto asked = settle(all, shape, given);
  sssp_options& options = asked.options;
  algorithm_detail::require_weights(g, "sssp", "for lengths; bfs finds paths of fewest arcs");
  const auto& kind = sssp_detail::kind_of(options.engine);
  algorithm_detail::require_readable(all, g,
                                     !kind.placed(all) && (!options.parents || g.symmetric));
  const auto facts = algorithm_detail::check_weights(g, "shortest paths need", given.run.cancel);
  const std::string delta_reason = reason_of_delta(g, options);
  options.delta = sssp_detail::delta_for(all, g, options, facts);
  auto ranks = choose_ranks(all, shape, options,
                            [&](const machine& m) { return problem_of(m, g, options); });
  state_ = std::make_unique<state>(all, g, std::move(asked), std::move(ranks));
  state& s = *state_;
  machine& m = *s.on;
  s.vertices = g.vertices();
  s.delta = s.options.priority == "soft" ? *s.options.delta : 0;
  s.delta_reason = delta_reason;
  std::optional<place_options> how;
  if (kind.placed(m)) how = sssp_detail::placement_of(s.options);
  const auto laid =
      algorithm_detail::plan_and_place(m, g, s.options, problem_of(m, g, s.options), how);
  s.engine.reason += laid.needs.spilled_text();
  s.engine_made = kind.make({m, g, laid.placed, s.options, facts, laid.needs});
}

sssp_search::~sssp_search() = default;
sssp_search::sssp_search(sssp_search&&) noexcept = default;

namespace {

/// `problem_on(machine)` makes the problem for a machine.
template <class Problem>
memory_plan plan_on(const machine& all, const graph_shape& g, const sssp_options& named,
                    const Problem& problem_on) {
  const auto where = choose_ranks(all, g, named, problem_on);
  const machine& m = where.of(all);
  return layout_of(m, problem_on(m), named).plan(named.memory, named.spill);
}

}  // namespace

memory_plan sssp_search::plan(const machine& all, const graph& g, const sssp_options& options) {
  const graph_shape shape = shape_for(all, g);
  const auto named = settle(all, shape, options).options;
  return plan_on(all, shape, named, [&](const machine& m) { return problem_of(m, g, named); });
}

memory_plan sssp_search::plan(const machine& all, const graph_shape& g, int weight_bytes,
                              const sssp_options& options) {
  const auto named = settle(all, g, options).options;
  return plan_on(all, g, named,
                 [&](const machine& m) { return problem_of(m, g, weight_bytes, named); });
}

sssp_result sssp_search::run(std::int64_t source) {
  auto& s = *state_;
  if (source < 0 || source >= s.vertices)
    throw usage_error("sssp: there is no vertex with index " + std::to_string(source) +
                      ": the graph has " + std::to_string(s.vertices) + " vertices");
  auto result = s.result<sssp_result>();
  result.source = source;
  if (searches_on_one(*s.on, s.engine.name)) {
    result.ranks_reason = "1 of " + std::to_string(result.ranks_used) + " ranks: " + one_gpu;
    result.ranks_used = 1;
  }
  result.delta = s.delta;
  result.delta_reason = s.delta_reason;
  algorithm_detail::set_term(s.options.run, "source", source);
  s.engine_made->run(source, s.options.run, result);
  s.file.check();
  if (s.options.run.trace)
    s.options.run.trace->describe("sssp", result.milliseconds,
                                  {{"source", source}, {"reached", result.reached}}, result.engine);
  return result;
}

void sssp_search::follow(const run_options& how) {
  state_->options.run.follow(how);
}

std::shared_ptr<sssp_search> sssp_search::prepare(machine& all, const graph& g,
                                                  const sssp_options& o) {
  return algorithm_detail::kept_search<sssp_search>(all, g, o);
}

sssp_result sssp(machine& m, const graph& g, std::int64_t source, const sssp_options& options) {
  return algorithm_detail::run_kept<sssp_search>(m, g, options, source);
}

}  // namespace gossamer
