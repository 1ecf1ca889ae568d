// What triangles takes whatever the engine: results by vertex.
#include "algorithm/triangles/planning.hpp"

#include "algorithm/triangles/engine.hpp"
#include "gossamer/graph/memory_needs.hpp"

namespace gossamer::triangles_detail {

problem problem_of(const graph& g, const triangles_options& options) {
  int weight = 0;
  if (options.weighted) weight = g.weights.index() == 3 ? 8 : 4;
  graph_sizes sizes = graph_sizes::of(g);
  sizes.weight_bytes = weight;
  return {g.vertices(), g.arcs(),    g.id_width(),
          weight,       g.symmetric, g.sorted ? 0 : rebuild_bytes(sizes, {}),
          !g.symmetric};
}

problem problem_of(const graph_shape& g, const triangles_options& options) {
  return {g.vertices, g.arcs,         g.id_width, options.weighted ? 8 : 0, g.symmetric, 0,
          g.directed, g.vertices_are, g.arcs_are};
}

memory_layout layout_of(const machine& m, const problem& p, const triangles_options& options) {
  memory_layout l(m, 4096);
  kind_of(options.engine).declare(l, m, p, options);
  l.shared("counts of vertices", p.vertices * 8, p.vertices_are);
  return l;
}

}  // namespace gossamer::triangles_detail
