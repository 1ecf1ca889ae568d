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
#include "gossamer/fabric/arena.hpp"

namespace gossamer::pagerank_detail {

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

/// auto never takes a worklist, so the engine is named in the options.
gpu_push_bytes push_bytes_on(const machine& m, const problem& p, int r, const pagerank_options& o) {
  return gpu_push_bytes_of(m, p.rows, r, o.weighted, p.id_width,
                           algorithm_detail::drive_of("pagerank", o, o.engine, first_window));
}

/// Of each of a GPU rank's arenas: agreement and alignment.
constexpr std::size_t push_agreement = std::size_t{1} << 16;

void plan_gpu_push(memory_plan& plan, const machine& m, const problem& p, int r,
                   const pagerank_options& o) {
  const auto b = push_bytes_on(m, p, r, o);
  const auto overhead = static_cast<std::int64_t>(arena_overhead(m.size()) + push_agreement);
  plan.add(r, memory_kind::device, "arcs with weights", b.rows, p.rows.arcs_are);
  plan_list(plan, r, b.lists, "ranks, residuals, lists and marks", p.rows.rows_are);
  plan.add(r, memory_kind::device, "agreement and tables of windows", overhead);
  plan.add(r, memory_kind::host, "tables of windows on the host", overhead);
}

/// Ranks, jumps and a start are put in the order of parts.
void plan_moved(memory_plan& plan, const machine& m, const problem& p, const pagerank_options& o) {
  plan_ordered(plan, m, p.ranges, {p.vertices, p.arcs, p.id_width, o.weighted ? 8 : 0, p.symmetric},
               ranges_of(m, o), o.precision / 8 + 16);
}

/// Of each of a CPU rank's arenas: alignment.
constexpr std::size_t push_alignment = 4096;

memory_plan plan_async(const machine& m, const problem& p, const pagerank_options& o) {
  memory_plan plan;
  plan.entries = p.placing.entries;
  const auto overhead = static_cast<std::int64_t>(arena_overhead(m.size()) + push_alignment);
  const certainty lists = p.rows.rows_are;
  int first_here = -1;
  for (int r = 0; r < m.size(); ++r) {
    if (!m.here(r)) continue;
    if (first_here < 0) first_here = r;
    if (m[r].is_cuda()) {
      plan_gpu_push(plan, m, p, r, o);
      continue;
    }
    const auto b = async_bytes_on(m, p.rows, r, p.id_width, o.priority);
    plan.add(r, memory_kind::host, "known residuals and worklists", b.work, lists);
    plan.add(r, memory_kind::host, "inbox", b.windows);
    plan.add(r, memory_kind::host, "gathered ranks", b.gathered, lists);
    plan.add(r, memory_kind::host, "tables of windows", 2 * overhead);
  }
  const int rounded = o.precision == 32 ? 4 : 0;  // sums are kept until they are
  plan.add(first_here, memory_kind::host, "ranks", p.vertices * (8 + rounded), p.vertices_are);
  plan.add(first_here, memory_kind::host, "weights of vertices", p.vertices * 8, p.vertices_are);
  plan.add(first_here, memory_kind::host, "jumps", p.vertices * 8, certainty::at_most);
  if (p.rows.moved)
    plan.add(first_here, memory_kind::host, "offsets, shares, jumps and ranks by rank",
             p.rows.ids() * (8 + 8 + 16 + 8), lists);
  if (o.weighted && p.rows.moved)
    plan.add(first_here, memory_kind::host, "weights by rank", p.arcs * 8, certainty::at_most);
  plan.limit_to(m, o.memory);
  return plan;
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
/// beside that, because a machine keeps what earlier runs took.
void plan_building(memory_plan& plan, const machine& m, const problem& p,
                   const pagerank_options& o) {
  const graph_shape shape{p.vertices, p.arcs, p.id_width, p.symmetric, p.vertices_are, p.arcs_are};
  for (const auto& e : plan_placement(m, shape, placement_of(o)).entries)
    plan.add(e.rank, e.kind, e.purpose, e.bytes, e.sure);
  if (o.weighted)
    plan.add(0, memory_kind::device, "weights", p.arcs * 8,
             p.arcs_are == certainty::about ? certainty::about : certainty::at_most);
  plan.add(0, memory_kind::device, "rows while they are built",
           building_bytes(p.vertices, p.arcs, p.symmetric, o),
           bounded(p) ? certainty::at_most : certainty::about);
}

memory_plan plan_gpus(const machine& m, const problem& p, const pagerank_options& o) {
  memory_plan plan;
  const std::int64_t ranks = p.vertices * (o.precision / 8);
  const auto overhead = static_cast<std::int64_t>(arena_overhead(m.size()));
  const certainty rows = p.ranges.are == certainty::exact ? certainty::at_most : p.ranges.are;
  const bool built = builds_rows(m, p.vertices);
  if (built) {
    plan_building(plan, m, p, o);
    plan.add(0, memory_kind::device, "ranks of results",
             algorithm_detail::result_bytes(p.vertices, o.precision / 8), p.vertices_are);
  }
  for (int r = 0; r < m.size(); ++r) {
    const auto b = bytes_on(m, p, r, o);
    plan.add(r, memory_kind::device, "rows", b.rows, rows);
    plan.add(r, memory_kind::device, "offers and ranks", static_cast<std::int64_t>(b.arena.native),
             rows);
    plan.add(r, memory_kind::device, "tables of windows", overhead);
    plan.add(r, memory_kind::host, "agreement and tables of windows",
             static_cast<std::int64_t>(b.arena.host) + overhead);
  }
  if (!built)
    plan.add(0, memory_kind::host, "rows before they are uploaded",
             gpu_layout_bytes(m.size(), p.vertices, p.arcs, p.symmetric, o), rows);
  plan.add(0, memory_kind::host, "ranks", (built ? 1 : 2) * ranks, p.vertices_are);
  plan.add(0, memory_kind::host, "jumps and start", p.vertices * (built ? 16 : 24),
           certainty::at_most);
  plan_moved(plan, m, p, o);
  plan.limit_to(m, o.memory);
  return plan;
}

arena_plan async_arena(const machine& m, const problem& p, int r, const pagerank_options& o) {
  if (m[r].is_cuda())
    return algorithm_detail::with_each(push_bytes_on(m, p, r, o).lists.windows, push_agreement);
  arena_plan plan;
  const auto b = async_bytes_on(m, p.rows, r, p.id_width, o.priority);
  plan.native = static_cast<std::size_t>(b.windows) + push_alignment;
  plan.host = static_cast<std::size_t>(b.gathered) + push_alignment;
  return plan;
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

memory_plan make_plan(const machine& m, const problem& p, const pagerank_options& o, bool async) {
  if (async) return plan_async(m, p, o);
  if (m[0].is_cuda()) return plan_gpus(m, p, o);
  memory_plan plan;
  const int width = o.precision / 8;
  const auto overhead = static_cast<std::int64_t>(arena_overhead(m.size()));
  int first_here = -1;
  for (int r = 0; r < m.size(); ++r) {
    if (!m.here(r)) continue;
    if (first_here < 0) first_here = r;
    const arena_plan arena = arena_of(m, r, p, o);
    const certainty offers = m.size() > 1 ? p.ranges.are : p.vertices_are;
    plan.add(r, memory_kind::host, "offers", static_cast<std::int64_t>(arena.native), offers);
    plan.add(r, memory_kind::host, "agreement and gathered ranks",
             static_cast<std::int64_t>(arena.host), offers);
    plan.add(r, memory_kind::host, "tables of windows", 2 * overhead);
  }
  plan.add(first_here, memory_kind::host, "ranks", p.vertices * width, p.vertices_are);
  plan.add(first_here, memory_kind::host, "weights of vertices", p.vertices * (8 + width),
           p.vertices_are);
  plan.add(first_here, memory_kind::host, "jumps and start", p.vertices * 24, certainty::at_most);
  if (o.weighted)
    plan.add(first_here, memory_kind::host, "shares of arcs", p.arcs * width, p.arcs_are);
  if (!p.symmetric)
    plan.add(first_here, memory_kind::host, "arcs reversed",
             (p.vertices + 1) * 8 + p.arcs * (p.id_width + (o.weighted ? 8 : 0)), p.arcs_are);
  if (p.skewed || p.ranges.are == certainty::about || is_padded(p.ranges.first)) {
    const std::int64_t offsets_and_ranks =
        p.skewed ? (p.vertices + 1) * (8 + p.id_width + 2 * width) : 0;
    plan.add(first_here, memory_kind::host, "rows in order",
             (p.vertices + p.arcs) * p.id_width + offsets_and_ranks +
                 (p.skewed && o.weighted ? p.arcs * width : 0),
             p.arcs_are == certainty::exact ? certainty::at_most : p.arcs_are);
  }
  plan_moved(plan, m, p, o);
  plan.limit_to(m, o.memory);
  return plan;
}

std::vector<arena_plan> make_arenas(const machine& m, const problem& p, const pagerank_options& o,
                                    bool async) {
  std::vector<arena_plan> arenas;
  for (int r = 0; r < m.size(); ++r)
    arenas.push_back(async            ? async_arena(m, p, r, o)
                     : m[r].is_cuda() ? bytes_on(m, p, r, o).arena
                                      : arena_of(m, r, p, o));
  return arenas;
}

}  // namespace gossamer::pagerank_detail
