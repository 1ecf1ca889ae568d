// Spanning forests as callers see them: options and weights checked, memory planned, edges counted
// once, and what follows from the arcs.
#include <cmath>

#include "algorithm/driver/option_table.hpp"
#include "algorithm/driver/whole_graph_search.hpp"
#include "algorithm/layouts/arc_weights.hpp"
#include "algorithm/spanning_forest/engine.hpp"
#include "gossamer/algorithm/spanning_forest.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/machine/first_where.hpp"

namespace gossamer {

using spanning_forest_detail::layout_of, spanning_forest_detail::problem_of;

namespace {

/// That a graph's weights are in an order was seen.
struct ordered_weights {};

/// arc_error for a weight that is NaN or infinite; each graph is looked at once.
void check_order(const graph& g, const std::stop_token& stop) {
  static_cast<void>(kept::of_graph<ordered_weights>(g, "ordered weights", [&](const graph& bare) {
    std::visit(
        [&]<class Weights>(const Weights& weights) {
          if constexpr (std::is_same_v<Weights, shared_array<float>> ||
                        std::is_same_v<Weights, shared_array<double>>) {
            constexpr std::int64_t piece = 4096;
            const std::int64_t m = bare.arcs();
            const auto bad = [&](std::int64_t arc) {
              return !std::isfinite(weights[static_cast<std::size_t>(arc)]);
            };
            const auto first_bad = [&](std::int64_t p) {
              std::int64_t arc = p * piece;
              const std::int64_t end = std::min(m, arc + piece);
              while (arc < end && !bad(arc)) ++arc;
              return arc < end ? arc : nowhere;
            };
            const std::int64_t first =
                first_where((m + piece - 1) / piece, host().cores, stop, "weights",
                            [&](std::int64_t p) { return first_bad(p) != nowhere; });
            if (first != nowhere)
              algorithm_detail::refuse_weight(bare, first_bad(first),
                                              "; spanning_forest needs finite weights");
          }
        },
        bare.weights);
    return std::make_shared<ordered_weights>();
  }));
}

/// Added up in the order of arcs: the same on every machine.
std::variant<std::int64_t, double> weight_of(const graph& g, std::span<const std::int64_t> arcs) {
  return std::visit(
      [&]<class Weights>(const Weights& weights) -> std::variant<std::int64_t, double> {
        if constexpr (std::is_same_v<Weights, std::monostate>) {
          return std::ssize(arcs);
        } else {
          using sum = std::conditional_t<std::is_same_v<Weights, shared_array<std::int32_t>>,
                                         std::int64_t, double>;
          sum all = 0;
          for (const std::int64_t arc : arcs)
            all += static_cast<sum>(weights[static_cast<std::size_t>(arc)]);
          return all;
        }
      },
      g.weights);
}

}  // namespace

template <>
struct algorithm_detail::search_state<spanning_forest_search>
    : algorithm_detail::whole_graph_state<spanning_forest_search, spanning_forest_options,
                                          spanning_forest_detail::kind_of> {
  using whole_graph_state::whole_graph_state;

  template <class Graph>
  static memory_layout layout(const machine& m, const Graph& g, const spanning_forest_options& o) {
    return layout_of(m, problem_of(g), o);
  }

  static std::string why_one(const machine&, const spanning_forest_options&, bool) {
    return "later rounds have too few edges for several";
  }
  static void check(const graph& g, const spanning_forest_options&) {
    require(g.symmetric, "spanning_forest: " + g.name +
                             " is directed, and forests are of undirected graphs: make it one "
                             "(--symmetrize, rebuild(symmetrize=True))");
  }
  static graph read(const graph& g, const spanning_forest_options&) { return g; }
  static void check_values(const graph& g, const spanning_forest_options& o) {
    check_order(g, o.run.cancel);
  }
};

template class prepared_search<spanning_forest_search, spanning_forest_options>;

spanning_forest_result spanning_forest_search::run() {
  auto& s = *state_;
  auto result = s.result<spanning_forest_result>();
  s.engine_made->run(s.options.run, result);
  result.trees = s.of.vertices() - std::ssize(result.arcs.span());
  result.weight = weight_of(s.of, result.arcs.span());
  s.describe(result, "trees", result.trees);
  return result;
}

spanning_forest_result spanning_forest(machine& m, const graph& g,
                                       const spanning_forest_options& options) {
  return algorithm_detail::run_kept<spanning_forest_search>(m, g, options);
}

}  // namespace gossamer
