// How components choose ranks and place graphs, and what they take whatever the engine.
#include "algorithm/components/planning.hpp"

#include "algorithm/components/engine.hpp"
#include "algorithm/components/routed/edge_shares.hpp"
#include "algorithm/driver/one_kernel.hpp"
#include "algorithm/driver/placement_choice.hpp"
#include "gossamer/dataflow/worklist/short_rows.hpp"

namespace gossamer::components_detail {

algorithm_detail::engine_choice auto_engine(const machine& m) {
  return {"sync", m[0].is_cuda() ? "chosen, faster than async on GPUs"
                                 : "chosen, faster than async wherever both were measured"};
}

algorithm_detail::chosen_ranks choose_ranks(const machine& all, rank_use use, std::int64_t vertices,
                                            std::int64_t arcs) {
  constexpr std::int64_t enough_arcs = std::int64_t{1} << 24;
  std::string why;
  if (!algorithm_detail::may_use_fewer(all)) return {all, use, why};
  if (!dataflow::short_in_the_mean(vertices, arcs))
    why = "few of its arcs need a look, and several merge labels of all vertices";
  else if (arcs < enough_arcs)
    why =
        "to merge labels takes several longer than one takes for " + std::to_string(arcs) + " arcs";
  return {all, use, why};
}

bool may_own_labels(const machine& m, bool symmetric, std::int64_t vertices, std::int64_t arcs) {
  return m.size() > 1 && symmetric && dataflow::short_in_the_mean(vertices, arcs) &&
         reach_each_other(m);
}

place_options placement_of(const components_options& options) {
  place_options how = algorithm_detail::placement_by_arcs(options);
  how.both_directions = kind_of(options.engine).both_directions;
  return how;
}

namespace {

std::vector<std::int64_t> prestaged(const machine& m, const graph& g) {
  return edge_shares(g, m.size()).counts;
}
/// Equal ones: which edges a rank gets is not known yet.
std::vector<std::int64_t> prestaged(const machine& m, const graph_shape& g) {
  const std::int64_t edges = g.symmetric ? g.arcs / 2 : g.arcs;
  const std::int64_t ranks = m.size();
  return std::vector<std::int64_t>(static_cast<std::size_t>(ranks), (edges + ranks - 1) / ranks);
}

template <class Graph>
void place(problem& p, const machine& m, const Graph& g, const components_options& options) {
  const engine_kind& kind = kind_of(options.engine);
  const place_options how = placement_of(options);
  p.rows = plan_rows(m, g, how);
  if (!is_streamed(options)) p.edges = prestaged(m, g);
  if (!kind.placed(m)) return;
  p.placing = plan_placement(m, g, how);
  if (kind.both_directions && !p.symmetric) p.in_arcs = plan_in_arcs(m, g, how);
}

/// Of a rank's arenas, either of them: signals, and what alignment takes.
std::int64_t signals_bytes(const machine& m) {
  return 4096 + m.size() * 8;
}

}  // namespace

problem problem_of(const machine& m, const graph& g, const components_options& options) {
  problem p{g.vertices(), g.arcs(), g.id_width(), g.symmetric};
  place(p, m, g, options);
  return p;
}

problem problem_of(const machine& m, const graph_shape& g, const components_options& options) {
  problem p{g.vertices, g.arcs, g.id_width, g.symmetric, g.vertices_are, g.arcs_are};
  place(p, m, g, options);
  return p;
}

memory_layout layout_of(const machine& m, const problem& p, const components_options& options) {
  const engine_kind& kind = kind_of(options.engine);
  memory_layout l(m, signals_bytes(m));
  l.include(p.placing);
  kind.declare(l, m, p, options);
  l.shared("labels", p.vertices * p.id_width, p.vertices_are);
  l.shared("sizes of components", p.vertices * p.id_width, p.vertices_are);
  // They name placed ids, and are renamed through a table of their own.
  if (p.rows.moved && kind.placed(m))
    l.shared("labels by rank", 2 * p.rows.ids() * p.id_width, p.rows.rows_are);
  return l;
}

}  // namespace gossamer::components_detail
