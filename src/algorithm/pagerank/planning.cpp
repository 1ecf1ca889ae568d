// How PageRank shares rows out, and what engines take that is not one engine's own.
#include "algorithm/pagerank/planning.hpp"

#include <algorithm>

#include "algorithm/driver/placement_choice.hpp"
#include "algorithm/pagerank/engine.hpp"
#include "algorithm/pagerank/sync/gpu_solver.hpp"

namespace gossamer::pagerank_detail {

place_options ranges_of(const machine& m, const pagerank_options& o) {
  place_options how = algorithm_detail::placement_by_arcs(o);
  // CPU ranks gather their offers in blocks, which are best equally long.
  if (o.partition == "auto" && !m[0].is_cuda()) how.partition = "auto";
  return how;
}

balanced balanced_by(const machine& m) {
  return m[0].is_cuda() ? balanced::in_arcs : balanced::out_arcs;
}

namespace {

template <class Graph>
void place(problem& p, const machine& m, const Graph& g, const pagerank_options& o) {
  const place_options how = algorithm_detail::placement_by_arcs(o);
  p.rows = plan_rows(m, g, how);
  p.placing = plan_placement(m, g, how);
}

/// Rows that spill are laid out by the host: a GPU that cannot hold them cannot build them.
void choose_builder(problem& p, const machine& m, const pagerank_options& o) {
  p.laid_by_host = !m[0].is_cuda() || !builds_rows(m, p.vertices);
  if (p.laid_by_host || !may_spill(o.spill, o.memory)) return;
  const memory_plan built = layout_of(m, p, o).plan(o.memory);
  p.laid_by_host = built.of(0) > built.limit.front();
}

}  // namespace

problem problem_of(const machine& m, const graph& g, const pagerank_options& o) {
  problem p{g.vertices(), g.arcs(), g.id_width(), g.symmetric};
  if (kind_of(o.engine).placed(m))
    place(p, m, g, o);
  else
    p.ranges = plan_ranges(m, g, ranges_of(m, o), balanced_by(m));
  if (!kind_of(o.engine).placed(m)) choose_builder(p, m, o);
  return p;
}

problem problem_of(const machine& m, const graph_shape& g, const pagerank_options& o) {
  problem p{g.vertices, g.arcs, g.id_width, g.symmetric, g.vertices_are, g.arcs_are};
  if (kind_of(o.engine).placed(m))
    place(p, m, g, o);
  else
    p.ranges = plan_ranges(m, g, ranges_of(m, o));
  if (!kind_of(o.engine).placed(m)) choose_builder(p, m, o);
  return p;
}

std::int64_t longest_range(std::span<const std::int64_t> first) {
  std::int64_t longest = 0;
  for (std::size_t r = 0; r + 1 < first.size(); ++r)
    longest = std::max(longest, first[r + 1] - first[r]);
  return longest;
}

bool is_padded(std::span<const std::int64_t> first) {
  const std::int64_t block = longest_range(first);
  for (std::size_t r = 0; r + 1 < first.size(); ++r)
    if (first[r] < first[r + 1] && first[r] != static_cast<std::int64_t>(r) * block) return true;
  return false;
}

algorithm_detail::memory_layout layout_of(const machine& m, const problem& p,
                                          const pagerank_options& o) {
  const engine_kind& kind = kind_of(o.engine);
  // Of each of a rank's arenas: agreement on GPUs, and alignment.
  const std::int64_t agreement = m[0].is_cuda() ? 65536 : 4096;
  algorithm_detail::memory_layout l(m, kind.placed(m) ? agreement : 0);
  l.include(p.placing);
  kind.declare(l, m, p, o);
  return l;
}

}  // namespace gossamer::pagerank_detail
