// What distances take whatever the engine: numbers of each source.
#include "algorithm/distances/planning.hpp"

#include "algorithm/distances/engine.hpp"
#include "gossamer/graph/memory_needs.hpp"

namespace gossamer::distances_detail {

problem problem_of(const graph& g) {
  const graph_sizes sizes{g.vertices(), g.arcs(), g.id_width(), 0, g.symmetric};
  return {.vertices = g.vertices(),
          .arcs = g.arcs(),
          .id_width = g.id_width(),
          .symmetric = g.symmetric,
          .reversing = g.symmetric ? 0 : rebuild_bytes(sizes, {}),
          .directed = !g.symmetric};
}

problem problem_of(const graph_shape& g) {
  const graph_sizes sizes{g.vertices, g.arcs, g.id_width, 0, g.symmetric};
  return {g.vertices,
          g.arcs,
          g.id_width,
          g.symmetric,
          g.symmetric ? 0 : rebuild_bytes(sizes, {}),
          g.vertices_are,
          g.arcs_are,
          g.directed};
}

std::string why_one(const machine& m, bool bounded) {
  for (int r = 0; r < m.size(); ++r)
    if (m[r].share > 1) return "ranks that share a GPU take turns";
  return bounded ? "each round goes by what all searches before have found" : "";
}

memory_layout layout_of(const machine& m, const problem& p, const distances_options& options) {
  memory_layout l(m, 4096);
  kind_of(options.engine).declare(l, m, p, options);
  const std::int64_t of_source = options.measure == distance_measure::sums ? 28 : 4;
  l.shared("numbers of all sources", p.vertices * of_source, p.vertices_are);
  return l;
}

}  // namespace gossamer::distances_detail
