// Bytes of a search, by rank and purpose.
#include "algorithm/bfs/planning.hpp"

#include "algorithm/bfs/engine.hpp"
#include "algorithm/bfs/program.hpp"
#include "algorithm/bfs/vector_queue/steps.hpp"
#include "gossamer/fabric/arena.hpp"

namespace gossamer {

namespace {

std::int64_t aligned(std::int64_t bytes) {
  return (bytes + 255) / 256 * 256;
}

/// Of a graph or a placed one, which need not be whole.
template <class Graph>
bfs_detail::graph_size size_of(const Graph& g) {
  return {g.vertices(), g.arcs()};
}

/// What a search takes on one rank: engines as typed_search.hpp makes them, or a program.
struct search_bytes {
  bfs_detail::engine_bytes own;
  std::int64_t graph = 0, bits = 0, inbox = 0, program = 0, depths = 0, signals = 0, scalars = 0,
               results = 0, duplicates = 0, host_result = 0;
};
search_bytes bytes_of(const machine& m, const ownership_sizes& owners,
                      const bfs_detail::graph_size& size, int rank, int width,
                      const bfs_options& options) {
  const std::int64_t p = owners.ranks();
  search_bytes b;
  if (!m.all_here()) b.results = aligned(owners.placed() * width) + aligned(owners.placed() * 4);
  if (options.deterministic) b.depths = aligned(owners.placed() * 4);
  if (const auto* program = bfs_detail::find_program(options.engine)) {
    const bfs_detail::program_bytes takes = program->bytes(m, owners, size, rank, width, options);
    b.own = takes.own;
    b.graph = takes.graph;
    b.program = takes.windows;
    b.scalars = takes.host_windows;
    b.duplicates = takes.duplicates;
    b.host_result = takes.host_result;
    return b;
  }
  b.own = (m[rank].is_cuda() ? bfs_detail::cuda_engine_bytes : bfs_detail::cpu_engine_bytes)(
      owners.local_size(rank), owners.placed(), width, m.size());
  if (p > 1) {
    // Where a modelled system has collectives of its own, agreement keeps a few lines in either
    // memory.
    const std::int64_t agreement = m[rank].model != nullptr ? 65536 : 0;
    const std::int64_t message =
        width == 4 ? sizeof(bfs_detail::message<vertex32>) : sizeof(bfs_detail::message<vertex64>);
    b.bits = aligned(2 * owners.placed() / 8);
    b.inbox = aligned(p * owners.local_size(rank) * message);
    b.signals = 2 * aligned(p * 8) + agreement;
    b.scalars = aligned(2 * p * 2 * 8) + agreement;
  }
  return b;
}

/// `in_arcs`: of each rank.
void plan_search(memory_plan& plan, const machine& m, const ownership_sizes& owners,
                 bfs_detail::graph_size size, int width, const std::vector<std::int64_t>& in_arcs,
                 const bfs_options& options, certainty sure = certainty::exact,
                 certainty sure_arcs = certainty::exact) {
  for (int r = 0; r < m.size(); ++r) {
    if (!m.here(r)) continue;
    const memory_kind kind = native_memory(m[r]);
    size.in_arcs = in_arcs[static_cast<std::size_t>(r)];
    const search_bytes b = bytes_of(m, owners, size, r, width, options);
    plan.add(r, kind, "slice by columns", b.graph, sure_arcs);
    plan.add(r, kind, "frontiers and queues", b.own.work, sure);
    plan.add(r, kind, "queue of neighbours", b.duplicates, sure_arcs);
    plan.add(r, kind, "parents and depths", b.own.result, sure);
    plan.add(r, memory_kind::host, "parents and depths on the host", b.host_result, sure);
    plan.add(r, kind, "frontier bitmaps", b.bits, sure);
    plan.add(r, kind, "inbox", b.inbox, sure);
    plan.add(r, kind, "windows of the engine", b.program, sure);
    plan.add(r, kind, "depths of all", b.depths, sure);
    const auto overhead = static_cast<std::int64_t>(arena_overhead(m.size()));
    plan.add(r, kind, "signals and tables of windows", b.signals + overhead, sure);
    plan.add(r, memory_kind::host, "scalars and tables of windows", b.scalars + overhead, sure);
    // The windows, and what is kept.
    plan.add(r, memory_kind::host, "results of all ranks", 2 * b.results, sure);
  }
}

std::vector<std::int64_t> in_arcs_of(const placed_graph& g) {
  std::vector<std::int64_t> all;
  for (int r = 0; r < g.on().size(); ++r)
    all.push_back(g.id_width() == 4 ? bfs_detail::arrivals_of<vertex32>(g, r)
                                    : bfs_detail::arrivals_of<vertex64>(g, r));
  return all;
}

/// Arcs count for programs alone; dividing a graph to count them takes time.
template <class Graph>
std::vector<std::int64_t> planned_in_arcs(const machine& m, const Graph& g,
                                          const place_options& place, const bfs_options& options) {
  if (bfs_detail::find_program(options.engine) == nullptr)
    return std::vector<std::int64_t>(static_cast<std::size_t>(m.size()));
  return plan_in_arcs(m, g, place);
}

}  // namespace

namespace bfs_detail {

std::vector<arena_plan> arenas(const placed_graph& g, const bfs_options& options) {
  const ownership_sizes owners(g.owners());
  std::vector<arena_plan> plans;
  for (int r = 0; r < g.on().size(); ++r) {
    const search_bytes b = bytes_of(g.on(), owners, size_of(g), r, g.id_width(), options);
    plans.push_back({static_cast<std::size_t>(b.bits + b.inbox + b.program + b.depths + b.signals),
                     static_cast<std::size_t>(b.scalars + b.results)});
  }
  return plans;
}

}  // namespace bfs_detail

memory_plan bfs_search::plan(const placed_graph& g, const bfs_options& asked) {
  const bfs_options options = bfs_detail::settle(g.on(), asked).options;
  memory_plan plan;
  plan.limit = g.plan().limit;
  plan.host_limit = g.plan().host_limit;
  plan_search(plan, g.on(), ownership_sizes(g.owners()), size_of(g), g.id_width(), in_arcs_of(g),
              options);
  return plan;
}

memory_plan bfs_search::plan(const machine& m, const graph& g, const place_options& place,
                             const bfs_options& asked) {
  const bfs_options options = bfs_detail::settle(m, asked).options;
  memory_plan plan = plan_placement(m, g, place);
  const ownership_sizes owners = plan_ownership(m, g, place);
  const bool wide = g.id_width() == 8 || owners.placed() > std::int64_t{0x7fffffff};
  const certainty sure = place.partition == "metis" ? certainty::about : certainty::exact;
  plan_search(plan, m, owners, size_of(g), wide ? 8 : 4, planned_in_arcs(m, g, place, options),
              options, sure, sure);
  return plan;
}

memory_plan bfs_search::plan(const machine& m, const graph_shape& g, const place_options& place,
                             const bfs_options& asked) {
  const bfs_options options = bfs_detail::settle(m, asked).options;
  memory_plan plan = plan_placement(m, g, place);
  const ownership_sizes owners = plan_ownership(m, g, place);
  const bool wide = g.id_width == 8 || owners.placed() > std::int64_t{0x7fffffff};
  plan_search(plan, m, owners, {g.vertices, g.arcs}, wide ? 8 : 4,
              planned_in_arcs(m, g, place, options), options, rows_certainty(m, g, place),
              certainty::about);
  return plan;
}

}  // namespace gossamer
