// What communities take whatever the engine: labels, and what their modularity is added up from.
#include "algorithm/communities/planning.hpp"

#include "algorithm/communities/engine.hpp"

namespace gossamer::communities_detail {

problem problem_of(const graph& g) {
  return {g.vertices(), g.arcs(), g.id_width(), !std::holds_alternative<std::monostate>(g.weights)};
}

problem problem_of(const graph_shape& g) {
  return {g.vertices, g.arcs, g.id_width, true, g.vertices_are, g.arcs_are};
}

memory_layout layout_of(const machine& m, const problem& p, const communities_options& options) {
  memory_layout l(m, 4096);
  kind_of(options.engine).declare(l, m, p, options);
  l.shared("labels", p.vertices * p.id_width, p.vertices_are);
  l.shared("weights of vertices and communities", p.vertices * 16, p.vertices_are);
  return l;
}

}  // namespace gossamer::communities_detail
