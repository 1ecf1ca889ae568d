// Betweenness as callers see it: options checked, memory planned, sources drawn or checked, and
// sums scaled to scores.
#include <algorithm>
#include <limits>

#include "algorithm/betweenness/engine.hpp"
#include "algorithm/driver/option_table.hpp"
#include "algorithm/driver/whole_graph_search.hpp"
#include "gossamer/algorithm/betweenness.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/graph/random.hpp"

namespace gossamer {

using betweenness_detail::layout_of, betweenness_detail::problem_of;

namespace {

/// `count` distinct vertices of n.
std::vector<std::int64_t> drawn_sources(std::int64_t n, std::int64_t count, std::int64_t seed) {
  const auto shuffled =
      permutation::of(static_cast<std::uint64_t>(n), static_cast<std::uint64_t>(seed));
  std::vector<std::int64_t> drawn(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < drawn.size(); ++i) drawn[i] = static_cast<std::int64_t>(shuffled(i));
  return drawn;
}

void check_sources(std::span<const std::int64_t> sources, std::int64_t vertices,
                   std::int64_t most) {
  require(!sources.empty(), "betweenness: no sources are given");
  require(std::ssize(sources) <= most, "betweenness: " + std::to_string(sources.size()) +
                                           " sources, and the search was prepared for " +
                                           std::to_string(most) + " at most");
  std::vector<std::int64_t> sorted(sources.begin(), sources.end());
  std::sort(sorted.begin(), sorted.end());
  for (const std::int64_t v : {sorted.front(), sorted.back()})
    require(v >= 0 && v < vertices, "betweenness: there is no vertex with index " +
                                        std::to_string(v) + ": the graph has " +
                                        std::to_string(vertices) + " vertices");
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice != sorted.end())
    throw usage_error("betweenness: source " + std::to_string(*twice) + " is given more than once");
}

/// From sums over `sources` to what scores mean: pairs of a source and a target that a path may
/// lead through a vertex for.
void scale(std::int64_t vertices, bool symmetric, const betweenness_options& o,
           std::span<const std::int64_t> sources, std::span<double> sums) {
  const bool own_pairs = o.endpoints || o.edges;  // a source counts for itself
  const auto others = static_cast<double>(own_pairs ? vertices : vertices - 1);
  if (others < 2) return;
  const auto all = static_cast<double>(sources.empty() ? vertices : std::ssize(sources));
  const auto factor = [&](double searches) {
    if (searches == 0) return std::numeric_limits<double>::quiet_NaN();
    return o.normalized ? 1 / (searches * (others - 1)) : others / searches / (symmetric ? 2 : 1);
  };
  const double of_sources = factor(own_pairs ? all : all - 1), of_others = factor(all);
  if (sources.empty()) {
    for (double& sum : sums) sum *= of_sources;
    return;
  }
  if (own_pairs) {
    for (double& sum : sums) sum *= of_others;
    return;
  }
  for (const std::int64_t v : sources) sums[static_cast<std::size_t>(v)] *= of_sources / of_others;
  for (double& sum : sums) sum *= of_others;
}

}  // namespace

template <>
struct algorithm_detail::search_state<betweenness_search>
    : algorithm_detail::whole_graph_state<betweenness_search, betweenness_options,
                                          betweenness_detail::kind_of> {
  using whole_graph_state::whole_graph_state;

  template <class Graph>
  static memory_layout layout(const machine& m, const Graph& g, const betweenness_options& o) {
    return layout_of(m, problem_of(g, o), o);
  }

  static settled<betweenness_options> settled_on(const machine& all,
                                                 const betweenness_options& asked) {
    auto s = settle(asked, all);
    require(!(s.options.edges && s.options.endpoints),
            "betweenness: endpoints are on no edge: they are an option of vertices' scores");
    require(s.options.sources >= 0 && (s.options.sources == 0 || s.options.samples == 0),
            "betweenness: sources are either given or drawn, and samples are drawn");
    return s;
  }
  static std::string why_one(const machine& m, const betweenness_options&, bool) {
    for (int r = 0; r < m.size(); ++r)
      if (m[r].share > 1) return "kernels of ranks that share a GPU take turns";
    return {};
  }
  static void check(const graph& g, const betweenness_options& o) {
    require(o.samples <= g.vertices(), "betweenness: " + std::to_string(o.samples) +
                                           " samples of " + std::to_string(g.vertices()) +
                                           " vertices");
  }
};

template class prepared_search<betweenness_search, betweenness_options>;

betweenness_result betweenness_search::run() {
  const state& s = *state_;
  if (s.options.samples == 0) return run_from({});
  return run_from(drawn_sources(s.of.vertices(), s.options.samples, s.options.seed));
}

betweenness_result betweenness_search::run(std::span<const std::int64_t> sources) {
  const state& s = *state_;
  check_sources(sources, s.of.vertices(), s.options.sources);
  return run_from({sources.begin(), sources.end()});
}

betweenness_result betweenness_search::run_from(std::vector<std::int64_t> sources) {
  auto& s = *state_;
  auto result = s.result<betweenness_result>();
  s.engine_made->run(sources, s.options.run, result);
  result.searches = sources.empty() ? s.of.vertices() : std::ssize(sources);
  scale(s.of.vertices(), s.of.symmetric, s.options, sources,
        std::get<0>(result.scores.get()).span());
  result.sources = std::move(sources);
  s.describe(result, "searches", result.searches);
  return result;
}

betweenness_result betweenness(machine& m, const graph& g, const betweenness_options& options) {
  return algorithm_detail::run_kept<betweenness_search>(m, g, options);
}

betweenness_result betweenness(machine& m, const graph& g, std::span<const std::int64_t> sources,
                               betweenness_options options) {
  options.sources = std::ssize(sources);
  return algorithm_detail::run_kept<betweenness_search>(m, g, options, sources);
}

}  // namespace gossamer
