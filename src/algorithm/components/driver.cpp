// Components as callers see them: the engine is chosen, memory planned, then the engine runs and
// labels are put in the caller's order of vertices.
#include "algorithm/components/async/async.hpp"
#include "algorithm/components/gpu.hpp"
#include "algorithm/components/labels.hpp"
#include "algorithm/components/planning.hpp"
#include "algorithm/components/routed/routed.hpp"
#include "algorithm/components/sync/sync.hpp"
#include "algorithm/components/tasks/tasks.hpp"
#include "algorithm/driver/common_terms.hpp"
#include "algorithm/driver/host_threads.hpp"
#include "algorithm/driver/placement_choice.hpp"
#include "algorithm/driver/readable.hpp"
#include "algorithm/driver/tables.hpp"
#include "gossamer/algorithm/components.hpp"
#include "gossamer/base/configuration.hpp"
#include "gossamer/fabric/trace.hpp"
#include "gossamer/graph/mapped_file.hpp"
#include "gossamer/placement/kept.hpp"

namespace gossamer {

namespace {

using algorithm_detail::use_of;
using components_detail::count_components, components_detail::labels_by_vertex,
    components_detail::make_plan, components_detail::problem_of;

algorithm_detail::settled<components_options> settle(const machine& m,
                                                     const components_options& asked) {
  auto s = algorithm_detail::settle(
      algorithm_detail::components_table(), asked, m,
      [&](const components_options&) { return components_detail::auto_engine(m); });
  require(s.options.partition == "auto" || s.engine.name != "routed",
          "components: partition '" + s.options.partition +
              "' says which rank owns which vertices, and in engine 'routed' none owns any");
  return s;
}

/// Weights lead nowhere here.
graph without_weights(graph g) {
  g.weights = {};
  return g;
}

/// `g`: a graph or its shape.
template <class Graph>
memory_plan plan_on(const machine& all, const Graph& g, std::int64_t vertices, std::int64_t arcs,
                    const components_options& asked) {
  const auto [options, chosen] = settle(all, asked);
  const std::string& engine = chosen.name;
  const auto ranks = components_detail::choose_ranks(all, use_of(options), vertices, arcs);
  const machine& m = ranks.of(all);
  return make_plan(m, problem_of(m, g, options, engine), options, engine);
}

}  // namespace

struct components_search::state {
  graph_file file;
  algorithm_detail::chosen_ranks ranks;
  machine* on;
  components_options options;
  algorithm_detail::engine_choice engine;
  std::shared_ptr<const placed_graph> placed;                      ///< null: engine routed
  std::unique_ptr<components_detail::components_program> program;  ///< null: sync on CPU ranks
};

components_search::components_search(machine& all, const graph& g,
                                     const components_options& given) {
  auto [asked, engine] = settle(all, given);
  algorithm_detail::require_readable(all, g, engine.name == "sync");
  state_ = std::make_unique<state>(state{
      graph_file(g), components_detail::choose_ranks(all, use_of(asked), g.vertices(), g.arcs()),
      nullptr, asked, std::move(engine), nullptr, nullptr});
  require(!g.offsets.empty(), "components: the graph has no offsets, not even of no vertices");
  state& s = *state_;
  s.on = &s.ranks.of(all);
  machine& m = *s.on;
  const std::string& name = s.engine.name;
  const graph bare = without_weights(g);
  auto p = problem_of(m, bare, asked, name);
  make_plan(m, p, asked, name).check();
  if (name != "routed") {
    s.placed = kept::place(m, bare, components_detail::placement_of(asked, name));
    if (p.rows.rows_are != certainty::exact) {  // METIS's shares are known now
      p.rows = rows_of(*s.placed);
      make_plan(m, p, asked, name).check();
    }
  }
  auto terms = algorithm_detail::common_terms(m, "components", asked.run.cancel);
  terms.graph(bare);
  if (s.placed != nullptr) terms.layout(*s.placed);
  add_terms(terms, algorithm_detail::components_table(), asked);
  s.options.run.terms = terms.add("engine", name).all();
  s.options.part_of = {};  // placed: nobody keeps a copy
  s.options.run.arenas = components_detail::make_arenas(m, p, asked, name);
  if (name == "async" || name == "host")
    s.program = components_detail::make_async(s.placed, asked, name);
  else if (name == "tasks")
    s.program = components_detail::make_tasks(s.placed);
  else if (name == "routed")
    s.program = components_detail::make_routed(m, bare, asked.packet);
  else if (m[0].is_cuda())
    s.program = components_detail::make_gpu(s.placed);
}

components_search::~components_search() = default;
components_search::components_search(components_search&&) noexcept = default;

memory_plan components_search::plan(const machine& all, const graph& g,
                                    const components_options& options) {
  return plan_on(all, g, g.vertices(), g.arcs(), options);
}

memory_plan components_search::plan(const machine& all, const graph_shape& g,
                                    const components_options& options) {
  return plan_on(all, g, g.vertices, g.arcs, options);
}

void components_search::finish_on_host(const state& s, components_result& result) {
  result.labels = std::visit(
      [&](const auto& found) {
        const auto labels = s.placed == nullptr ? found : labels_by_vertex(*s.placed, found);
        const auto n = static_cast<std::int64_t>(labels.size());
        count_components(labels, algorithm_detail::threads_after_run(*s.on, n), result);
        return label_array(labels);
      },
      result.labels.get());
}

components_result components_search::run() {
  auto& s = *state_;
  s.file.check();
  components_result result;
  result.engine = s.engine.name;
  result.engine_reason = s.engine.reason;
  result.ranks_used = s.on->size();
  result.ranks_reason = s.ranks.reason();
  if (s.program != nullptr)
    s.program->run(s.options.run, result);
  else
    components_detail::run_sync(*s.placed, s.options.run, result);
  if (result.labels.there().size == 0) finish_on_host(s, result);
  if (s.options.run.trace)
    s.options.run.trace->describe("components", result.milliseconds, {{"count", result.count}});
  return result;
}

void components_search::follow(const run_options& how) {
  state_->options.run.follow(how);
}

std::shared_ptr<components_search> components_search::prepare(machine& all, const graph& g,
                                                              const components_options& o) {
  return kept::alone<components_search>(
      all, g,
      kept::text("components", kept_text(algorithm_detail::components_table(), o), o.part_of,
                 configuration::memory()),
      [&](const graph& bare) {
        return std::make_shared<components_search>(all, bare, kept::without_trace(o));
      });
}

components_result components(machine& m, const graph& g, const components_options& options) {
  return kept::run(components_search::prepare(m, g, options), options.run,
                   [](components_search& search) { return search.run(); });
}

}  // namespace gossamer
