// What random walks take whatever the engine: the walks.
#include "algorithm/random_walks/planning.hpp"

#include <limits>

#include "algorithm/random_walks/engine.hpp"

namespace gossamer::random_walks_detail {

problem problem_of(const graph& g) {
  return {g.vertices(), g.arcs(), g.id_width()};
}

problem problem_of(const graph_shape& g) {
  return {g.vertices, g.arcs, g.id_width, g.vertices_are, g.arcs_are};
}

std::int64_t walk_bytes(std::int64_t sources, int id_width, const random_walks_options& options) {
  std::int64_t bytes = (options.length + 1) * id_width;
  for (const std::int64_t times : {options.walks, sources})
    if (__builtin_mul_overflow(bytes, times, &bytes))
      return std::numeric_limits<std::int64_t>::max() / 2;
  return bytes;
}

memory_layout layout_of(const machine& m, const problem& p, const random_walks_options& options,
                        std::int64_t sources) {
  memory_layout l(m, 4096);
  kind_of(options.engine).declare(l, m, p, options);
  l.shared("walks", walk_bytes(sources, p.id_width, options), p.vertices_are);
  return l;
}

}  // namespace gossamer::random_walks_detail
