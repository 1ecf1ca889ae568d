// What spanning forests take whatever the engine: the arcs that are found.
#include "algorithm/spanning_forest/planning.hpp"

#include "algorithm/spanning_forest/engine.hpp"

namespace gossamer::spanning_forest_detail {

namespace {

int width_of(const weight_array& weights) {
  return std::visit(
      []<class Weights>(const Weights& w) -> int {
        if constexpr (std::is_same_v<Weights, std::monostate>)
          return 0;
        else
          return sizeof(*w.data());
      },
      weights);
}

}  // namespace

problem problem_of(const graph& g) {
  return {g.vertices(), g.arcs(), g.id_width(), width_of(g.weights)};
}

problem problem_of(const graph_shape& g) {
  return {g.vertices, g.arcs, g.id_width, sizeof(double), g.vertices_are, g.arcs_are};
}

memory_layout layout_of(const machine& m, const problem& p,
                        const spanning_forest_options& options) {
  memory_layout l(m, 4096);
  kind_of(options.engine).declare(l, m, p, options);
  l.shared("arcs of the forest", p.vertices * 8, p.vertices_are);
  return l;
}

}  // namespace gossamer::spanning_forest_detail
