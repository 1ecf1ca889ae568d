// The entries of the plan and the arenas, for each engine and for CPU and GPU ranks. Both come from
// the same functions, so that they agree.
#include "algorithm/pagerank/planning.hpp"

#include <algorithm>

#include "algorithm/driver/placement_choice.hpp"
#include "algorithm/driver/result_blocks.hpp"
#include "algorithm/layouts/degree_facts.hpp"
#include "algorithm/pagerank/async/async.hpp"
#include "algorithm/pagerank/async/push.hpp"
#include "algorithm/pagerank/sync/built_rows.hpp"
#include "algorithm/pagerank/sync/gpu_rows.hpp"
#include "algorithm/pagerank/sync/gpu_solver.hpp"
#include "algorithm/pagerank/sync/iteration.hpp"

namespace gossamer::pagerank_detail {

using algorithm_detail::memory_layout;

namespace {

/// As many places a rank as the longest range has rows.
std::size_t vector_bytes(const machine& m, const problem& p, const pagerank_options& o) {
  return static_cast<std::size_t>(longest_range(p.ranges.first) * m.size() * (o.precision / 8));
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

void declare_gpu_push(memory_layout& l, const machine& m, const problem& p, int r,
                      const pagerank_options& o) {
  // A worklist is never what auto takes: the engine is named.
  const auto b =
      gpu_push_bytes_of(m, p.rows, r, o.weighted, p.id_width,
                        algorithm_detail::drive_of("pagerank", o, o.engine, first_window));
  l.own(r, "arcs with weights", b.rows, p.rows.arcs_are);
  declare_list(l, r, b.lists, "ranks, residuals, lists and marks", p.rows.rows_are);
}

void declare_cpu_push(memory_layout& l, const machine& m, const problem& p, int r,
                      const pagerank_options& o) {
  const auto b = async_bytes_on(m, p.rows, r, p.id_width, o.priority);
  l.own(r, "known residuals and worklists", b.work, p.rows.rows_are);
  l.window(r, "inbox", b.windows);
  l.host_window(r, "gathered ranks", b.gathered, p.rows.rows_are);
}

memory_layout layout_of_async(const machine& m, const problem& p, const pagerank_options& o) {
  // Of each of a rank's arenas: agreement on GPUs, and alignment.
  memory_layout l(m, m[0].is_cuda() ? 65536 : 4096);
  l.include(p.placing);
  for (int r = 0; r < m.size(); ++r)
    (m[r].is_cuda() ? declare_gpu_push : declare_cpu_push)(l, m, p, r, o);
  const int rounded = o.precision == 32 ? 4 : 0;  // sums are kept until they are
  l.shared("ranks", p.vertices * (8 + rounded), p.vertices_are);
  l.shared("weights of vertices", p.vertices * 8, p.vertices_are);
  l.shared("jumps", p.vertices * 8, certainty::at_most);
  if (p.rows.moved)
    l.shared("offsets, shares, jumps and ranks by rank", p.rows.ids() * (8 + 8 + 16 + 8),
             p.rows.rows_are);
  if (o.weighted && p.rows.moved) l.shared("weights by rank", p.arcs * 8, certainty::at_most);
  return l;
}

gpu_bytes bytes_on(const machine& m, const problem& p, int r, const pagerank_options& o) {
  const auto i = static_cast<std::size_t>(r);
  return gpu_bytes_on(m.size(), p.vertices, p.ranges.first[i + 1] - p.ranges.first[i],
                      p.ranges.in_arcs[i], o);
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

memory_layout layout_of_gpus(const machine& m, const problem& p, const pagerank_options& o) {
  memory_layout l(m);
  const std::int64_t ranks = p.vertices * (o.precision / 8);
  const certainty rows = p.ranges.are == certainty::exact ? certainty::at_most : p.ranges.are;
  const bool built = builds_rows(m, p.vertices);
  if (built) {
    declare_building(l, m, p, o);
    l.own(0, "ranks of results", algorithm_detail::result_bytes(p.vertices, o.precision / 8),
          p.vertices_are);
  }
  for (int r = 0; r < m.size(); ++r) {
    const auto b = bytes_on(m, p, r, o);
    l.own(r, "rows", b.rows, rows);
    l.window(r, "offers and ranks", static_cast<std::int64_t>(b.arena.native), rows);
    l.host_window(r, "agreement", static_cast<std::int64_t>(b.arena.host));
  }
  if (!built)
    l.shared("rows before they are uploaded",
             gpu_layout_bytes(m.size(), p.vertices, p.arcs, p.symmetric, o), rows);
  l.shared("ranks", (built ? 1 : 2) * ranks, p.vertices_are);
  l.shared("jumps and start", p.vertices * (built ? 16 : 24), certainty::at_most);
  declare_moved(l, m, p, o);
  return l;
}

}  // namespace

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

}  // namespace

problem problem_of(const machine& m, const graph& g, const pagerank_options& o, bool async) {
  problem p{g.vertices(), g.arcs(), g.id_width(), g.symmetric,
            m[0].is_cuda() || algorithm_detail::degrees_of(g).skewed};
  if (async)
    place(p, m, g, o);
  else
    p.ranges = plan_ranges(m, g, ranges_of(m, o), balanced_by(m));
  return p;
}

problem problem_of(const machine& m, const graph_shape& g, const pagerank_options& o, bool async) {
  problem p{g.vertices, g.arcs, g.id_width, g.symmetric, true, g.vertices_are, g.arcs_are};
  if (async)
    place(p, m, g, o);
  else
    p.ranges = plan_ranges(m, g, ranges_of(m, o));
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

memory_layout layout_of(const machine& m, const problem& p, const pagerank_options& o, bool async) {
  if (async) return layout_of_async(m, p, o);
  if (m[0].is_cuda()) return layout_of_gpus(m, p, o);
  memory_layout l(m);
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
  if (!p.symmetric)
    l.shared("arcs reversed", (p.vertices + 1) * 8 + p.arcs * (p.id_width + (o.weighted ? 8 : 0)),
             p.arcs_are);
  if (p.skewed || p.ranges.are == certainty::about || is_padded(p.ranges.first)) {
    const std::int64_t offsets_and_ranks =
        p.skewed ? (p.vertices + 1) * (8 + p.id_width + 2 * width) : 0;
    l.shared("rows in order",
             (p.vertices + p.arcs) * p.id_width + offsets_and_ranks +
                 (p.skewed && o.weighted ? p.arcs * width : 0),
             p.arcs_are == certainty::exact ? certainty::at_most : p.arcs_are);
  }
  declare_moved(l, m, p, o);
  return l;
}

}  // namespace gossamer::pagerank_detail
