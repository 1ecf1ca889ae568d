// Distances as callers see them: options and vertices checked, memory planned, arcs reversed once.
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "algorithm/distances/engine.hpp"
#include "algorithm/driver/option_table.hpp"
#include "algorithm/driver/whole_graph_search.hpp"
#include "gossamer/algorithm/distances.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/graph/memory_needs.hpp"

namespace gossamer {

using distances_detail::layout_of, distances_detail::problem_of;

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
    : algorithm_detail::whole_graph_state<distances_search, distances_options,
                                          distances_detail::kind_of> {
  using whole_graph_state::whole_graph_state;

  template <class Graph>
  static memory_layout layout(const machine& m, const Graph& g, const distances_options& o) {
    return layout_of(m, problem_of(g), o);
  }

  static std::string why_one(const machine& m, const distances_options& o, bool symmetric) {
    return distances_detail::why_one(m, distances_detail::bounded(o, symmetric));
  }

  distances_result run(const distances_detail::request& asked) {
    auto made = result<distances_result>();
    made.measure = options.measure;
    engine_made->run(options.run, asked, made);
    describe(made, "searches", made.searches);
    return made;
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
