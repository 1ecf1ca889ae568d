// Distances as callers see them: options and vertices checked, memory planned, arcs reversed once.
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "algorithm/distances/engine.hpp"
#include "algorithm/driver/option_table.hpp"
#include "algorithm/driver/prepared_search.hpp"
#include "gossamer/algorithm/distances.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/graph/memory_needs.hpp"

namespace gossamer {

using distances_detail::layout_of, distances_detail::problem_of, distances_detail::why_one;

namespace {

void check_vertices(std::span<const std::int64_t> given, std::int64_t vertices, const char* what) {
  for (const std::int64_t v : given)
    require(v >= 0 && v < vertices, [&] {
      return "distances: " + std::string(what) + " " + std::to_string(v) +
             " is no vertex: the graph has " + std::to_string(vertices);
    });
}

}  // namespace

template <>
struct algorithm_detail::search_state<distances_search>
    : algorithm_detail::prepared<distances_options> {
  using prepared::prepared;
  graph of;
  std::unique_ptr<distances_detail::engine> engine_made;

  distances_result run(const distances_detail::request& asked) {
    auto made = result<distances_result>();
    made.measure = options.measure;
    engine_made->run(options.run, asked, made);
    if (options.run.trace)
      options.run.trace->describe("distances", made.milliseconds, {{"searches", made.searches}},
                                  made.engine);
    return made;
  }

  static std::unique_ptr<search_state> made(machine& all, const graph& g,
                                            const distances_options& given) {
    auto asked = algorithm_detail::settle(given, all);
    g.require_here();
    require(!g.offsets.empty(), "distances: the graph has no offsets, not even of no vertices");
    const auto why = why_one(all, distances_detail::bounded(asked.options, g.symmetric));
    auto made = std::make_unique<search_state>(
        all, g, std::move(asked), algorithm_detail::chosen_ranks(all, rank_use::automatic, why));
    search_state& s = *made;
    s.of = g;
    s.of.weights = {};
    const auto layout = layout_of(*s.on, problem_of(s.of), s.options);
    layout.plan(s.options.memory).check();
    s.options.run.arenas = layout.arenas();
    s.engine_made = distances_detail::kind_of(s.engine.name).make({*s.on, s.of, s.options});
    return made;
  }

  /// `g`: a graph or its shape.
  template <class Graph>
  static memory_plan plan(const machine& m, const Graph& g, const distances_options& asked) {
    const auto options = algorithm_detail::settle(asked, m).options;
    return layout_of(m, problem_of(g), options).plan(options.memory);
  }
};

template class prepared_search<distances_search, distances_options>;

distances_result distances_search::run() {
  return state_->run({});
}

distances_result distances_search::run(std::span<const std::int64_t> sources) {
  require(state_->options.measure != distance_measure::diameter,
          "distances: the diameter is of all vertices, not of some");
  check_vertices(sources, state_->of.vertices(), "source");
  return state_->run({sources, {}});
}

distances_result distances_search::run(std::span<const std::int64_t> sources,
                                       std::span<const std::int64_t> targets) {
  const std::int64_t n = state_->of.vertices();
  require(state_->options.measure == distance_measure::sums,
          "distances: depths come with measure 'sums' alone");
  check_vertices(sources, n, "source");
  check_vertices(targets, n, "target");
  std::vector<bool> seen(static_cast<std::size_t>(n));
  for (const std::int64_t v : targets) {
    require(!seen[static_cast<std::size_t>(v)],
            [&] { return "distances: target " + std::to_string(v) + " is given twice"; });
    seen[static_cast<std::size_t>(v)] = true;
  }
  // By far most graphs are less deep than two bytes say.
  require_memory(state_->of, "depths of " + std::to_string(sources.size()) + " sources",
                 2 * std::ssize(sources) * std::ssize(targets), state_->options.memory);
  return state_->run({sources, targets});
}

distances_result distances(machine& m, const graph& g, const distances_options& options) {
  return algorithm_detail::run_kept<distances_search>(m, g, options);
}

}  // namespace gossamer
