// What core numbers take whatever the engine: results by vertex.
#include "algorithm/core_numbers/planning.hpp"

#include "algorithm/core_numbers/engine.hpp"
#include "gossamer/graph/memory_needs.hpp"

namespace gossamer::core_numbers_detail {

problem problem_of(const graph& g) {
  const graph_sizes sizes{g.vertices(), g.arcs(), g.id_width(), 0, g.symmetric};
  const std::int64_t rows = rebuild_bytes(sizes, {});
  return {g.vertices(), g.arcs(), g.id_width(), g.sorted ? 0 : rows, g.symmetric ? 0 : rows};
}

problem problem_of(const graph_shape& g) {
  const graph_sizes sizes{g.vertices, g.arcs, g.id_width, 0, g.symmetric};
  return {g.vertices,     g.arcs,    g.id_width, 0, g.symmetric ? 0 : rebuild_bytes(sizes, {}),
          g.vertices_are, g.arcs_are};
}

memory_layout layout_of(const machine& m, const problem& p, const core_numbers_options& options) {
  memory_layout l(m, 4096);
  kind_of(options.engine).declare(l, m, p, options);
  l.shared("core numbers", p.vertices * 4, p.vertices_are);
  return l;
}

}  // namespace gossamer::core_numbers_detail
