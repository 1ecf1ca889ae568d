// Components as callers see them: engine chosen, memory planned, then what the engine does and the
// labels as callers have their vertices.
#include "algorithm/components/engine.hpp"
#include "algorithm/components/labels.hpp"
#include "algorithm/components/planning.hpp"
#include "algorithm/driver/host_threads.hpp"
#include "algorithm/driver/option_table.hpp"
#include "algorithm/driver/placement_choice.hpp"
#include "algorithm/driver/prepared_search.hpp"
#include "algorithm/driver/readable.hpp"
#include "gossamer/algorithm/components.hpp"

namespace gossamer {

namespace {

using algorithm_detail::use_of;
using components_detail::count_components, components_detail::labels_by_vertex,
    components_detail::layout_of, components_detail::problem_of;

algorithm_detail::settled<components_options> checked_options(const machine& m,
                                                              const components_options& asked) {
  auto s = algorithm_detail::settle(
      asked, m, [&](const components_options&) { return components_detail::auto_engine(m); });
  require(s.options.partition == "auto" || components_detail::kind_of(s.engine.name).placed(m),
          "components: partition '" + s.options.partition +
              "' says which rank owns which vertices, and in engine '" + s.engine.name +
              "' none owns any");
  require(components_detail::is_streamed(s.options) || s.options.packet == 0,
          "components: packet '" + std::to_string(s.options.packet) +
              "' is of edges 'streamed', and these are 'prestaged'");
  return s;
}

/// Weights lead nowhere here.
graph without_weights(graph g) {
  g.weights = {};
  return g;
}

}  // namespace

template <>
struct algorithm_detail::search_state<components_search>
    : algorithm_detail::prepared<components_options> {
  using prepared::prepared;
  std::shared_ptr<const placed_graph> placed;  ///< null where no rank owns rows
  std::unique_ptr<components_detail::engine> engine_made;

  static std::unique_ptr<search_state> made(machine& all, const graph& g,
                                            const components_options& given) {
    auto asked = checked_options(all, given);
    algorithm_detail::require_readable(all, g, asked.engine.name == "sync");
    require(!g.offsets.empty(), "components: the graph has no offsets, not even of no vertices");
    auto ranks =
        components_detail::choose_ranks(all, use_of(asked.options), g.vertices(), g.arcs());
    auto made = std::make_unique<search_state>(all, g, std::move(asked), std::move(ranks));
    search_state& s = *made;
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
    return made;
  }

  void finish_on_host(components_result& result) const {
    result.labels = std::visit(
        [&](const auto& found) {
          const auto labels = placed == nullptr ? found : labels_by_vertex(*placed, found);
          const auto n = static_cast<std::int64_t>(labels.size());
          count_components(labels, algorithm_detail::threads_beside_runs(*on, n), result);
          return label_array(labels);
        },
        result.labels.get());
  }

  static memory_plan plan(const machine& all, const graph& g, const components_options& asked) {
    return plan(all, g, g.vertices(), g.arcs(), asked);
  }
  static memory_plan plan(const machine& all, const graph_shape& g,
                          const components_options& asked) {
    return plan(all, g, g.vertices, g.arcs, asked);
  }
  /// `g`: a graph or its shape.
  template <class Graph>
  static memory_plan plan(const machine& all, const Graph& g, std::int64_t vertices,
                          std::int64_t arcs, const components_options& asked) {
    const auto options = checked_options(all, asked).options;
    const auto ranks = components_detail::choose_ranks(all, use_of(options), vertices, arcs);
    const machine& m = ranks.of(all);
    return layout_of(m, problem_of(m, g, options), options).plan(options.memory, options.spill);
  }
};

template class prepared_search<components_search, components_options>;

components_result components_search::run() {
  auto& s = *state_;
  auto result = s.result<components_result>();
  s.engine_made->run(s.options.run, result);
  s.file.check();
  if (result.labels.there().size == 0) s.finish_on_host(result);
  if (s.options.run.trace)
    s.options.run.trace->describe("components", result.milliseconds, {{"count", result.count}},
                                  result.engine);
  return result;
}

components_result components(machine& m, const graph& g, const components_options& options) {
  return algorithm_detail::run_kept<components_search>(m, g, options);
}

}  // namespace gossamer
