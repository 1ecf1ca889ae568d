// Engine sync of PageRank: what it is, takes and is made from.
#include <algorithm>

#include "algorithm/driver/result_blocks.hpp"
#include "algorithm/pagerank/kinds.hpp"
#include "algorithm/pagerank/sync/built_rows.hpp"
#include "algorithm/pagerank/sync/gpu_rows.hpp"
#include "algorithm/pagerank/sync/gpu_solver.hpp"
#include "algorithm/pagerank/sync/iteration.hpp"
#include "algorithm/pagerank/sync/solver.hpp"
#include "gossamer/graph/memory_needs.hpp"

namespace gossamer::pagerank_detail {

namespace {

/// As many places a rank as the longest range has rows. A rank that is alone has two arrays.
std::size_t vector_bytes(const machine& m, const problem& p, const pagerank_options& o) {
  return static_cast<std::size_t>(longest_range(p.ranges.first) * std::max(m.size(), 2) *
                                  (o.precision / 8));
}

arena_plan arena_of(const machine& m, int r, const problem& p, const pagerank_options& o) {
  const std::size_t vector = vector_bytes(m, p, o);
  arena_plan plan;
  plan.native = vector + 512;
  plan.host = std::size_t{1} << 16;
  if (m.size() > 1) {
    const std::size_t more = collective_bytes(vector, m[r].model != nullptr);
    plan.native += more;
    plan.host += more;
  }
  if (!m.all_here()) plan.host += static_cast<std::size_t>(p.vertices * (o.precision / 8)) + 256;
  return plan;
}

/// Ranks, jumps and a start are put in the order of parts.
void declare_moved(memory_layout& l, const machine& m, const problem& p,
                   const pagerank_options& o) {
  memory_plan plan;
  plan_ordered(plan, m, p.ranges, {p.vertices, p.arcs, p.id_width, o.weighted ? 8 : 0, p.symmetric},
               ranges_of(m, o), o.precision / 8 + 16);
  l.include(plan);
}

bool bounded(const problem& p) {
  return p.vertices_are != certainty::about && p.arcs_are != certainty::about;
}

/// One GPU builds its rows from the graph, which lies there meanwhile. What runs take is planned
/// beside: a machine keeps what earlier runs took.
void declare_building(memory_layout& l, const machine& m, const problem& p,
                      const pagerank_options& o) {
  const graph_shape shape{p.vertices, p.arcs, p.id_width, p.symmetric, p.vertices_are, p.arcs_are};
  l.include(plan_placement(m, shape, placement_of(o)));
  if (o.weighted)
    l.own(0, "weights", p.arcs * 8,
          p.arcs_are == certainty::about ? certainty::about : certainty::at_most);
  l.own(0, "rows while they are built", building_bytes(p.vertices, p.arcs, p.symmetric, o),
        bounded(p) ? certainty::at_most : certainty::about);
}

void declare_gpus(memory_layout& l, const machine& m, const problem& p, const pagerank_options& o) {
  const std::int64_t ranks = p.vertices * (o.precision / 8);
  const certainty rows = p.ranges.are == certainty::exact ? certainty::at_most : p.ranges.are;
  const bool built = !p.laid_by_host;
  if (built) {
    declare_building(l, m, p, o);
    l.own(0, "ranks of results", algorithm_detail::result_bytes(p.vertices, o.precision / 8),
          p.vertices_are);
  }
  for (int r = 0; r < m.size(); ++r) declare_gpu_rank(l, m, p, r, o, rows);
  if (!built)
    l.shared("rows before they are uploaded",
             gpu_layout_bytes(m.size(), p.vertices, p.arcs, p.symmetric, o), rows);
  l.shared("ranks", (built ? 1 : 2) * ranks, p.vertices_are);
  l.shared("jumps and start", p.vertices * (built ? 16 : 24), certainty::at_most);
  declare_moved(l, m, p, o);
}

void declare(memory_layout& l, const machine& m, const problem& p, const pagerank_options& o) {
  if (m[0].is_cuda()) return declare_gpus(l, m, p, o);
  const int width = o.precision / 8;
  const certainty offers = m.size() > 1 ? p.ranges.are : p.vertices_are;
  for (int r = 0; r < m.size(); ++r) {
    const arena_plan arena = arena_of(m, r, p, o);
    l.window(r, "offers", static_cast<std::int64_t>(arena.native), offers);
    l.host_window(r, "agreement and gathered ranks", static_cast<std::int64_t>(arena.host), offers);
  }
  l.shared("ranks", p.vertices * width, p.vertices_are);
  l.shared("weights of vertices", p.vertices * (8 + width), p.vertices_are);
  l.shared("jumps and start", p.vertices * 24, certainty::at_most);
  if (o.weighted) l.shared("shares of arcs", p.arcs * width, p.arcs_are);
  const certainty sure = p.arcs_are == certainty::exact ? certainty::at_most : p.arcs_are;
  const std::int64_t ordered = (p.vertices + p.arcs) * p.id_width +
                               (p.vertices + 1) * (8 + p.id_width + 2 * width) +
                               (o.weighted ? p.arcs * width : 0);
  if (!p.symmetric) {
    // Its making is over before the rows in order are made.
    const graph_sizes sizes{p.vertices, p.arcs, p.id_width, o.weighted ? 8 : 0};
    l.shared("arcs reversed", std::max(csr_bytes(sizes), rebuild_bytes(sizes, {}) - ordered), sure);
  }
  l.shared("rows in order", ordered, sure);
  declare_moved(l, m, p, o);
}

}  // namespace

const engine_kind& sync_kind() {
  static const engine_kind kind{
      .info = {.name = "sync",
               .meaning = "power iteration: every vertex pulls, all agree, again",
               .chosen = "always"},
      .placed = [](const machine&) { return false; },
      .declare = declare,
      .make = [](const preparation& from) { return make_solver(from); }};
  return kind;
}

}  // namespace gossamer::pagerank_detail
