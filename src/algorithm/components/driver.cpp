// Components as callers see them: engine chosen, memory planned, then what the engine does and the
// labels as callers have their vertices.
#include "algorithm/components/engine.hpp"
#include "algorithm/components/labels.hpp"
#include "algorithm/components/planning.hpp"
#include "algorithm/driver/host_threads.hpp"
#include "algorithm/driver/option_table.hpp"
#include "algorithm/driver/placement_choice.hpp"
#include "algorithm/driver/prepared.hpp"
#include "algorithm/driver/readable.hpp"
#include "gossamer/algorithm/components.hpp"

namespace gossamer {

namespace {

using algorithm_detail::use_of;
using components_detail::count_components, components_detail::labels_by_vertex,
    components_detail::layout_of, components_detail::problem_of;

algorithm_detail::settled<components_options> settle(const machine& m,
                                                     const components_options& asked) {
  auto s = algorithm_detail::settle(
      asked, m, [&](const components_options&) { return components_detail::auto_engine(m); });
  require(s.options.partition == "auto" || components_detail::kind_of(s.engine.name).placed(m),
          "components: partition '" + s.options.partition +
              "' says which rank owns which vertices, and in engine '" + s.engine.name +
              "' none owns any");
  if (!components_detail::is_streamed(s.options)) {
    require(s.options.packet == 0, "components: packet '" + std::to_string(s.options.packet) +
                                       "' is of edges 'streamed', and these are 'prestaged'");
    for (int r = 0; r < m.size(); ++r)
      if (m[r].is_cuda())
        throw not_compiled("edges 'prestaged' of components on GPUs",
                           "it is for CPU and modelled ranks");
  }
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
  const auto options = settle(all, asked).options;
  const auto ranks = components_detail::choose_ranks(all, use_of(options), vertices, arcs);
  const machine& m = ranks.of(all);
  return layout_of(m, problem_of(m, g, options), options).plan(options.memory, options.spill);
}

}  // namespace

struct components_search::state : algorithm_detail::prepared<components_options> {
  using prepared::prepared;
  std::shared_ptr<const placed_graph> placed;  ///< null where no rank owns rows
  std::unique_ptr<components_detail::engine> engine_made;
};

components_search::components_search(machine& all, const graph& g,
                                     const components_options& given) {
  auto asked = settle(all, given);
  algorithm_detail::require_readable(all, g, asked.engine.name == "sync");
  require(!g.offsets.empty(), "components: the graph has no offsets, not even of no vertices");
  auto ranks = components_detail::choose_ranks(all, use_of(asked.options), g.vertices(), g.arcs());
  state_ = std::make_unique<state>(all, g, std::move(asked), std::move(ranks));
  state& s = *state_;
  machine& m = *s.on;
  const auto& kind = components_detail::kind_of(s.engine.name);
  const graph bare = without_weights(g);
  std::optional<place_options> how;
  if (kind.placed(m)) how = components_detail::placement_of(s.options);
  auto laid =
      algorithm_detail::plan_and_place(m, bare, s.options, problem_of(m, bare, s.options), how);
  s.engine.reason += laid.needs.spilled_text();
  s.placed = std::move(laid.placed);
  s.engine_made = kind.make({m, bare, s.placed, s.options});
  s.options.part_of = {};  // placed: nobody keeps a copy
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
        count_components(labels, algorithm_detail::threads_beside_runs(*s.on, n), result);
        return label_array(labels);
      },
      result.labels.get());
}

components_result components_search::run() {
  auto& s = *state_;
  auto result = s.result<components_result>();
  s.engine_made->run(s.options.run, result);
  s.file.check();
  if (result.labels.there().size == 0) finish_on_host(s, result);
  if (s.options.run.trace)
    s.options.run.trace->describe("components", result.milliseconds, {{"count", result.count}},
                                  result.engine);
  return result;
}

void components_search::follow(const run_options& how) {
  state_->options.run.follow(how);
}

std::shared_ptr<components_search> components_search::prepare(machine& all, const graph& g,
                                                              const components_options& o) {
  return algorithm_detail::kept_search<components_search>(all, g, o);
}

components_result components(machine& m, const graph& g, const components_options& options) {
  return kept::run(components_search::prepare(m, g, options), options.run,
                   [](components_search& search) { return search.run(); });
}

}  // namespace gossamer
