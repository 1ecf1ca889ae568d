// Components as callers see them: engine chosen, memory planned, then what the engine does and the
// labels as callers have their vertices.
#include "algorithm/balance_choice.hpp"
#include "algorithm/common_terms.hpp"
#include "algorithm/connected_components/async.hpp"
#include "algorithm/connected_components/gpu.hpp"
#include "algorithm/connected_components/labels.hpp"
#include "algorithm/connected_components/planning.hpp"
#include "algorithm/connected_components/routed.hpp"
#include "algorithm/connected_components/sync.hpp"
#include "algorithm/connected_components/tasks.hpp"
#include "algorithm/priority_choice.hpp"
#include "algorithm/readable.hpp"
#include "gossamer/algorithm/connected_components.hpp"
#include "gossamer/base/configuration.hpp"
#include "gossamer/fabric/trace.hpp"
#include "gossamer/graph/mapped_file.hpp"
#include "gossamer/placement/kept.hpp"

namespace gossamer {

namespace {

using algorithm_detail::divide_vertices, algorithm_detail::plan_partitioning,
    algorithm_detail::plan_parts, algorithm_detail::use_of;
using components_detail::count_components, components_detail::labels_by_vertex,
    components_detail::make_plan, components_detail::problem_of;

algorithm_detail::partition_request request_of(const components_options& o) {
  return algorithm_detail::request_of("components", o);
}

/// Edges go to whoever is free: no rank has vertices of its own.
void check_routed(const components_options& o, const std::string& engine) {
  require(o.packet >= 0, "components: packet " + std::to_string(o.packet) + " is negative");
  require(o.packet == 0 || engine == "routed",
          "components: packet is of engine 'routed', and this is '" + engine + "'");
  require(o.partition == "auto" || engine != "routed",
          "components: partition '" + o.partition +
              "' says which rank owns which vertices, and in engine 'routed' none owns any");
}

algorithm_detail::engine_choice choose_engine(const machine& m, const components_options& o) {
  auto engine = components_detail::choose_engine(m, o.engine);
  check_routed(o, engine.name);
  algorithm_detail::check_balance("components", o.balance, engine.name, m);
  algorithm_detail::check_priority("components", o.priority, engine.name, m);
  algorithm_detail::check_partition(request_of(o));
  return engine;
}

/// Weights lead nowhere here.
graph without_weights(graph g) {
  g.weights = {};
  return g;
}

/// `g`: a graph or its shape.
template <class Graph>
memory_plan plan_on(const machine& m, const Graph& g, const graph_sizes& sizes,
                    const components_options& options) {
  const auto request = request_of(options);
  auto plan = make_plan(m, problem_of(m, g, plan_parts(g, m, request)), options);
  plan_partitioning(plan, m, request, sizes);
  return plan;
}

}  // namespace

struct components_search::state {
  graph_file file;
  algorithm_detail::chosen_ranks ranks;
  machine* on;
  algorithm_detail::parted_graph what;
  components_options options;
  algorithm_detail::engine_choice engine;
  std::vector<std::int64_t> first;
  std::unique_ptr<components_detail::components_program> program;  ///< null: sync on CPU ranks
};

components_search::components_search(machine& all, const graph& g,
                                     const components_options& asked) {
  auto engine = choose_engine(all, asked);
  algorithm_detail::require_readable(all, g, engine.name == "sync");
  state_ = std::make_unique<state>(
      state{graph_file(g),
            components_detail::choose_ranks(all, use_of(asked), g.vertices(), g.arcs()),
            nullptr,
            {},
            asked,
            std::move(engine),
            {},
            nullptr});
  require(!g.offsets.empty(), "components: the graph has no offsets, not even of no vertices");
  state& s = *state_;
  s.on = &s.ranks.of(all);
  machine& m = *s.on;
  const auto request = request_of(asked);
  if (asked.partition == "metis")  // takes long: what cannot fit anyway is refused before
    make_plan(m, problem_of(m, g, plan_parts(g, m, request)), asked).check();
  auto p = problem_of(m, g, divide_vertices(g, m, request));
  s.options.run.terms = algorithm_detail::common_terms(m, "components", asked.run.cancel)
                            .graph(without_weights(g))
                            .partition(asked.partition, p.first, p.parts.part_of)
                            .add("engine", s.engine.name)
                            .add("balance", asked.balance)
                            .add("priority", asked.priority)
                            .add("packet", asked.packet)
                            .all();
  s.options.part_of = {};  // divided: nobody keeps a copy
  make_plan(m, p, asked).check();
  s.options.run.arenas = components_detail::make_arenas(m, p, asked, s.engine.name);
  s.first = std::move(p.first);
  s.what = {without_weights(g), std::move(p.parts), algorithm_detail::threads_here(m),
            asked.run.cancel};
  const graph& rows = s.what.rows();
  if (s.engine.name == "async")
    s.program = components_detail::make_async(m, rows, s.first, asked);
  else if (s.engine.name == "tasks")
    s.program = components_detail::make_tasks(m, rows, s.first);
  else if (s.engine.name == "routed")
    s.program = components_detail::make_routed(m, rows, asked.packet);
  else if (m[0].is_cuda())
    s.program = components_detail::make_gpu(m, rows, s.first);
}

components_search::~components_search() = default;
components_search::components_search(components_search&&) noexcept = default;

memory_plan components_search::plan(const machine& all, const graph& g,
                                    const components_options& options) {
  static_cast<void>(choose_engine(all, options));
  const auto ranks = components_detail::choose_ranks(all, use_of(options), g.vertices(), g.arcs());
  return plan_on(ranks.of(all), g, graph_sizes::of(without_weights(g)), options);
}

memory_plan components_search::plan(const machine& all, const graph_shape& g,
                                    const components_options& options) {
  static_cast<void>(choose_engine(all, options));
  const auto ranks = components_detail::choose_ranks(all, use_of(options), g.vertices, g.arcs);
  return plan_on(ranks.of(all), g, {g.vertices, g.arcs, g.id_width, 0, g.symmetric}, options);
}

void components_search::finish_on_host(const state& s, components_result& result) {
  const int threads = algorithm_detail::threads_after_run(*s.on);
  result.labels = std::visit(
      [&](const auto& of_rows) {
        const label_array labels = labels_by_vertex(s.what, of_rows);
        std::visit([&](const auto& by_vertex) { count_components(by_vertex, threads, result); },
                   labels);
        return labels;
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
    components_detail::run_sync(*s.on, s.what.rows(), s.first, s.options.run, result);
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
      kept::text("components", o.engine, o.balance, o.priority, o.partition, o.part_of, o.packet,
                 static_cast<int>(o.use), o.memory, configuration::memory()),
      [&](const graph& bare) {
        return std::make_shared<components_search>(all, bare, kept::without_trace(o));
      });
}

components_result components(machine& m, const graph& g, const components_options& options) {
  return kept::run(components_search::prepare(m, g, options), options.run,
                   [](components_search& search) { return search.run(); });
}

}  // namespace gossamer
