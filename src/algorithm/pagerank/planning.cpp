#include "algorithm/pagerank/planning.hpp"

#include "algorithm/degree_facts.hpp"
#include "algorithm/pagerank/async.hpp"
#include "algorithm/pagerank/built_rows.hpp"
#include "algorithm/pagerank/gpu_rows.hpp"
#include "algorithm/pagerank/gpu_solver.hpp"
#include "algorithm/pagerank/iteration.hpp"
#include "algorithm/pagerank/push.hpp"
#include "algorithm/row_ranges.hpp"
#include "gossamer/fabric/arena.hpp"

namespace gossamer::pagerank_detail {

namespace {

/// As many places a rank as the longest range has rows.
std::size_t vector_bytes(const machine& m, const problem& p, const pagerank_options& o) {
  return static_cast<std::size_t>(algorithm_detail::longest_range(p.first) * m.size() *
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

gpu_push_bytes push_bytes_on(const problem& p, int r, const pagerank_options& o) {
  return gpu_push_bytes_of(p.first, r, p.arcs_of[static_cast<std::size_t>(r)], o.weighted);
}

/// Of each of a GPU rank's arenas: agreement and alignment.
constexpr std::size_t push_agreement = std::size_t{1} << 16;

void plan_gpu_push(memory_plan& plan, const machine& m, const problem& p, int r,
                   const pagerank_options& o) {
  const auto b = push_bytes_on(p, r, o);
  const auto overhead = static_cast<std::int64_t>(arena_overhead(m.size()) + push_agreement);
  const certainty rows =
      m.size() == 1 || p.arcs_are == certainty::exact ? p.arcs_are : certainty::about;
  const certainty lists = algorithm_detail::certainty_of_rows(p.parts, p.vertices_are);
  plan.add(r, memory_kind::device, "rows", b.rows,
           algorithm_detail::certainty_of_rows(p.parts, rows));
  plan.add(r, memory_kind::device, "ranks, residuals, lists and marks", b.work, lists);
  plan.add(r, m.all_direct() ? memory_kind::device : memory_kind::host, "messages", b.windows,
           lists);
  plan.add(r, memory_kind::device, "agreement and tables of windows", overhead);
  plan.add(r, memory_kind::host, "tables of windows on the host", overhead);
}

/// Ranks, jumps and a start are put in the order of parts.
void plan_moved(memory_plan& plan, int rank, const problem& p, const pagerank_options& o) {
  algorithm_detail::plan_renumbering(
      plan, rank, p.parts, {p.vertices, p.arcs, p.id_width, o.weighted ? 8 : 0, p.symmetric},
      o.precision / 8 + 16, p.vertices_are, p.arcs_are);
}

/// Of each of a CPU rank's arenas: alignment.
constexpr std::size_t push_alignment = 4096;

memory_plan plan_async(const machine& m, const problem& p, const pagerank_options& o) {
  memory_plan plan;
  const auto overhead = static_cast<std::int64_t>(arena_overhead(m.size()) + push_alignment);
  const bool known = p.arcs_are == certainty::exact && !p.parts.estimated;
  const certainty lists = m.size() > 1 && !known ? certainty::about : p.vertices_are;
  int first_here = -1;
  for (int r = 0; r < m.size(); ++r) {
    if (!m.here(r)) continue;
    if (first_here < 0) first_here = r;
    if (m[r].is_cuda()) {
      plan_gpu_push(plan, m, p, r, o);
      continue;
    }
    const auto b = async_bytes_on(m, p.first, r, p.id_width, o.priority);
    plan.add(r, memory_kind::host, "known residuals and worklists", b.work, lists);
    plan.add(r, memory_kind::host, "inbox", b.windows);
    plan.add(r, memory_kind::host, "gathered ranks", b.gathered, p.vertices_are);
    plan.add(r, memory_kind::host, "tables of windows", 2 * overhead);
  }
  const int rounded = o.precision == 32 ? 4 : 0;  // sums are kept until they are
  plan.add(first_here, memory_kind::host, "ranks", p.vertices * (8 + rounded), p.vertices_are);
  plan.add(first_here, memory_kind::host, "weights of vertices", p.vertices * 8, p.vertices_are);
  plan.add(first_here, memory_kind::host, "jumps", p.vertices * 8, certainty::at_most);
  plan_moved(plan, first_here, p, o);
  plan.limit_to(m, o.memory);
  return plan;
}

gpu_bytes bytes_on(const machine& m, const problem& p, int r, const pagerank_options& o) {
  const auto i = static_cast<std::size_t>(r);
  return gpu_bytes_on(m.size(), p.vertices, p.first[i + 1] - p.first[i], p.arcs_of[i], o);
}

/// One GPU builds its rows from the graph, which lies there meanwhile. What runs take is planned
/// beside: a machine keeps what earlier runs took.
void plan_building(memory_plan& plan, const machine& m, const problem& p,
                   const pagerank_options& o) {
  const graph_shape shape{p.vertices, p.arcs, p.id_width, p.symmetric, p.vertices_are, p.arcs_are};
  for (const auto& e : plan_placement(m, shape, placement_of(o)).entries)
    plan.add(e.rank, e.kind, e.purpose, e.bytes, e.sure);
  if (o.weighted)
    plan.add(0, memory_kind::device, "weights", p.arcs * 8,
             p.arcs_are == certainty::about ? certainty::about : certainty::at_most);
  plan.add(0, memory_kind::device, "rows while they are built",
           building_bytes(p.vertices, p.arcs, p.symmetric, o), p.rows_are);
}

memory_plan plan_gpus(const machine& m, const problem& p, const pagerank_options& o) {
  memory_plan plan;
  const std::int64_t ranks = p.vertices * (o.precision / 8);
  const auto overhead = static_cast<std::int64_t>(arena_overhead(m.size()));
  const certainty rows = p.rows_are;
  const bool built = builds_rows(m, p.vertices);
  if (built) {
    plan_building(plan, m, p, o);
    plan.add(0, memory_kind::device, "ranks of results", ranks, p.vertices_are);
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
  plan_moved(plan, 0, p, o);
  plan.limit_to(m, o.memory);
  return plan;
}

arena_plan async_arena(const machine& m, const problem& p, int r, const pagerank_options& o) {
  arena_plan plan;
  if (m[r].is_cuda()) {
    plan.native = plan.host = push_agreement;
    (m.all_direct() ? plan.native : plan.host) +=
        static_cast<std::size_t>(push_bytes_on(p, r, o).windows);
    return plan;
  }
  const auto b = async_bytes_on(m, p.first, r, p.id_width, o.priority);
  plan.native = static_cast<std::size_t>(b.windows) + push_alignment;
  plan.host = static_cast<std::size_t>(b.gathered) + push_alignment;
  return plan;
}

bool bounded(const graph_shape& g) {
  return g.vertices_are != certainty::about && g.arcs_are != certainty::about;
}

}  // namespace

problem problem_of(const machine& m, const graph& g, bool async,
                   algorithm_detail::vertex_parts parts) {
  problem p{g.vertices(),
            g.arcs(),
            g.id_width(),
            g.symmetric,
            m[0].is_cuda() || algorithm_detail::degrees_of(g).skewed,
            parts.first_or(async ? algorithm_detail::arc_ranges(g.offsets.span(), m.size())
                                 : algorithm_detail::even_ranges(g.vertices(), m.size())),
            {}};
  p.parts = std::move(parts);
  p.rows_are = algorithm_detail::certainty_of_rows(p.parts, p.rows_are);
  if (!m[0].is_cuda()) return p;
  // One rank has all arcs, whichever way they lead.
  const auto offsets = async || m.size() == 1 ? g.offsets : in_offsets_of(g);
  if (!async && p.parts.first.empty())
    p.first = algorithm_detail::arc_ranges(offsets.span(), m.size());
  p.arcs_of = algorithm_detail::arcs_of_ranks(p.parts, offsets.span(), p.first, g.arcs());
  return p;
}

problem problem_of(const machine& m, const graph_shape& g, algorithm_detail::vertex_parts parts) {
  const std::vector<std::int64_t> arcs_of(static_cast<std::size_t>(m.size()),
                                          (g.arcs + m.size() - 1) / m.size());
  return {g.vertices,
          g.arcs,
          g.id_width,
          g.symmetric,
          true,
          algorithm_detail::even_ranges(g.vertices, m.size()),
          arcs_of,
          g.vertices_are,
          g.arcs_are,
          m.size() == 1 && bounded(g) ? certainty::at_most : certainty::about,
          std::move(parts)};
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
    const certainty offers = p.parts.estimated ? certainty::about : p.vertices_are;
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
  if (p.skewed || p.parts.estimated || algorithm_detail::is_padded(p.first)) {
    const std::int64_t offsets_and_ranks =
        p.skewed ? (p.vertices + 1) * (8 + p.id_width + 2 * width) : 0;
    plan.add(first_here, memory_kind::host, "rows in order",
             (p.vertices + p.arcs) * p.id_width + offsets_and_ranks +
                 (p.skewed && o.weighted ? p.arcs * width : 0),
             p.arcs_are == certainty::exact ? certainty::at_most : p.arcs_are);
  }
  plan_moved(plan, first_here, p, o);
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
