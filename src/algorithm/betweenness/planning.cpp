// What betweenness takes whatever the engine: sources and scores.
#include "algorithm/betweenness/planning.hpp"

#include <algorithm>

#include "algorithm/betweenness/engine.hpp"
#include "algorithm/betweenness/laid_rows.hpp"

namespace gossamer::betweenness_detail {

problem problem_of(const graph& g, const betweenness_options& options) {
  const graph_sizes sizes{g.vertices(), g.arcs(), g.id_width(), 0, g.symmetric};
  const row_steps steps = steps_of(g, uses_of(g.vertices(), options));
  return {g.vertices(),  g.arcs(), g.id_width(), g.symmetric, laying_out_bytes(sizes, steps),
          steps.simplify};
}

problem problem_of(const graph_shape& g, const betweenness_options& options) {
  const graph_sizes sizes{g.vertices, g.arcs, g.id_width, 0, g.symmetric};
  const row_steps steps = possible_steps(g.symmetric, uses_of(g.vertices, options));
  return {g.vertices,     g.arcs,         g.id_width, g.symmetric, laying_out_bytes(sizes, steps),
          steps.simplify, g.vertices_are, g.arcs_are};
}

std::int64_t sources_of(std::int64_t vertices, const betweenness_options& options) {
  const std::int64_t asked = std::max(options.samples, options.sources);
  return asked == 0 ? vertices : std::min(asked, vertices);
}

row_uses uses_of(std::int64_t vertices, const betweenness_options& options) {
  return {options.edges, sources_of(vertices, options)};
}

memory_layout layout_of(const machine& m, const problem& p, const betweenness_options& options) {
  memory_layout l(m, 4096);
  kind_of(options.engine).declare(l, m, p, options);
  if (options.samples > 0 || options.sources > 0)
    l.shared("sources", sources_of(p.vertices, options) * 16,
             p.vertices_are);  // sorted, too, to be checked
  if (options.edges)
    l.shared("scores of arcs", p.arcs * 8, p.arcs_are);
  else
    l.shared("scores of vertices", p.vertices * 8, p.vertices_are);
  return l;
}

}  // namespace gossamer::betweenness_detail
