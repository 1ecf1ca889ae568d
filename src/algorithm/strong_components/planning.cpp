// What strong components take whatever the engine: labels.
#include "algorithm/strong_components/planning.hpp"

#include "algorithm/strong_components/engine.hpp"
#include "gossamer/graph/memory_needs.hpp"

namespace gossamer::strong_components_detail {

problem problem_of(const graph& g) {
  const graph_sizes sizes{g.vertices(), g.arcs(), g.id_width(), 0, g.symmetric};
  return {g.vertices(), g.arcs(), g.id_width(), g.symmetric ? 0 : rebuild_bytes(sizes, {})};
}

problem problem_of(const graph_shape& g) {
  const graph_sizes sizes{g.vertices, g.arcs, g.id_width, 0, g.symmetric};
  return {g.vertices,     g.arcs,    g.id_width, g.symmetric ? 0 : rebuild_bytes(sizes, {}),
          g.vertices_are, g.arcs_are};
}

memory_layout layout_of(const machine& m, const problem& p,
                        const strong_components_options& options) {
  memory_layout l(m, 4096);
  kind_of(options.engine).declare(l, m, p, options);
  l.shared("labels", p.vertices * p.id_width, p.vertices_are);
  return l;
}

}  // namespace gossamer::strong_components_detail
