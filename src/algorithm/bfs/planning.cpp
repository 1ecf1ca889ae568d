// Bytes of a search, by rank and purpose.
#include "algorithm/bfs/planning.hpp"

#include "algorithm/bfs/engine.hpp"
#include "algorithm/bfs/rank_search.hpp"
#include "algorithm/bfs/vector_queue/steps.hpp"
#include "algorithm/driver/memory_layout.hpp"

namespace gossamer {

using algorithm_detail::aligned, algorithm_detail::memory_layout;

namespace {

/// Of a graph or a placed one, which need not be whole.
template <class Graph>
bfs_detail::graph_size size_of(const Graph& g) {
  return {g.vertices(), g.arcs()};
}

/// Levels that the driver steps: what an engine has, and what ranks send each other.
void declare_levels(memory_layout& l, const machine& m, const ownership_sizes& owners, int rank,
                    int width, certainty sure) {
  const auto b = (m[rank].is_cuda() ? bfs_detail::cuda_engine_bytes : bfs_detail::cpu_engine_bytes)(
      owners.local_size(rank), owners.placed(), width, m.size());
  l.own(rank, "frontiers and queues", b.work, sure);
  l.own(rank, "parents and depths", b.result, sure);
  const std::int64_t p = owners.ranks();
  if (p == 1) return;
  const std::int64_t message =
      width == 4 ? sizeof(bfs_detail::message<vertex32>) : sizeof(bfs_detail::message<vertex64>);
  l.window(rank, "frontier bitmaps", aligned(2 * owners.placed() / 8), sure);
  l.window(rank, "inbox", aligned(p * owners.local_size(rank) * message), sure);
  // Where a modelled system has collectives of its own, agreement keeps a few lines in either
  // memory.
  const std::int64_t agreement = m[rank].model != nullptr ? 65536 : 0;
  l.agreement(rank, 2 * aligned(p * 8) + agreement, aligned(2 * p * 2 * 8) + agreement);
}

void declare_search(memory_layout& l, const bfs_detail::search_bytes& b, int rank, certainty sure,
                    certainty sure_arcs) {
  l.own(rank, "slice by columns", b.graph, sure_arcs);
  l.own(rank, "frontiers and queues", b.own.work, sure);
  l.own(rank, "queue of neighbours", b.duplicates, sure_arcs);
  l.own(rank, "parents and depths", b.own.result, sure);
  l.host(rank, "parents and depths on the host", b.host_result, sure);
  l.window(rank, "windows of the engine", b.windows, sure);
  l.agreement(rank, 0, b.host_windows);
}

/// `in_arcs`: of each rank.
memory_layout layout_of(const machine& m, const ownership_sizes& owners,
                        bfs_detail::graph_size size, int width,
                        const std::vector<std::int64_t>& in_arcs, const bfs_options& options,
                        certainty sure = certainty::exact, certainty sure_arcs = certainty::exact) {
  memory_layout l(m);
  const auto* engine = bfs_detail::functions_of(options.engine);
  for (int r = 0; r < m.size(); ++r) {
    size.in_arcs = in_arcs[static_cast<std::size_t>(r)];
    if (engine != nullptr)
      declare_search(l, engine->bytes(m, owners, size, r, width, options), r, sure, sure_arcs);
    else
      declare_levels(l, m, owners, r, width, sure);
    if (options.deterministic) l.window(r, "depths of all", aligned(owners.placed() * 4), sure);
    if (m.all_here()) continue;
    const std::int64_t results = aligned(owners.placed() * width) + aligned(owners.placed() * 4);
    l.host_window(r, "results of all ranks", results, sure);
    l.host(r, "results of all ranks, kept", results, sure);
  }
  return l;
}

std::vector<std::int64_t> in_arcs_of(const placed_graph& g) {
  std::vector<std::int64_t> all;
  for (int r = 0; r < g.on().size(); ++r)
    all.push_back(g.id_width() == 4 ? bfs_detail::arrivals_of<vertex32>(g, r)
                                    : bfs_detail::arrivals_of<vertex64>(g, r));
  return all;
}

/// Arcs count for whole searches alone; dividing a graph to count them takes time.
template <class Graph>
std::vector<std::int64_t> planned_in_arcs(const machine& m, const Graph& g,
                                          const place_options& place, const bfs_options& options) {
  if (bfs_detail::functions_of(options.engine) == nullptr)
    return std::vector<std::int64_t>(static_cast<std::size_t>(m.size()));
  return plan_in_arcs(m, g, place);
}

}  // namespace

namespace {

memory_layout layout_of(const placed_graph& g, const bfs_options& options) {
  return layout_of(g.on(), ownership_sizes(g.owners()), size_of(g), g.id_width(), in_arcs_of(g),
                   options);
}

/// With what the placement takes.
memory_plan with_placement(memory_plan placement, const memory_layout& search) {
  const memory_plan more = search.plan();
  placement.entries.insert(placement.entries.end(), more.entries.begin(), more.entries.end());
  return placement;
}

}  // namespace

namespace bfs_detail {

std::vector<arena_plan> arenas(const placed_graph& g, const bfs_options& options) {
  return layout_of(g, options).arenas();
}

}  // namespace bfs_detail

memory_plan bfs_search::plan(const placed_graph& g, const bfs_options& asked) {
  const bfs_options options = bfs_detail::settle(g.on(), asked).options;
  memory_plan plan = layout_of(g, options).plan();
  plan.limit = g.plan().limit;
  plan.host_limit = g.plan().host_limit;
  return plan;
}

memory_plan bfs_search::plan(const machine& m, const graph& g, const place_options& place,
                             const bfs_options& asked) {
  const bfs_options options = bfs_detail::settle(m, asked).options;
  const ownership_sizes owners = plan_ownership(m, g, place);
  const bool wide = g.id_width() == 8 || owners.placed() > std::int64_t{0x7fffffff};
  const certainty sure = place.partition == "metis" ? certainty::about : certainty::exact;
  return with_placement(plan_placement(m, g, place),
                        layout_of(m, owners, size_of(g), wide ? 8 : 4,
                                  planned_in_arcs(m, g, place, options), options, sure, sure));
}

memory_plan bfs_search::plan(const machine& m, const graph_shape& g, const place_options& place,
                             const bfs_options& asked) {
  const bfs_options options = bfs_detail::settle(m, asked).options;
  const ownership_sizes owners = plan_ownership(m, g, place);
  const bool wide = g.id_width == 8 || owners.placed() > std::int64_t{0x7fffffff};
  return with_placement(plan_placement(m, g, place),
                        layout_of(m, owners, {g.vertices, g.arcs}, wide ? 8 : 4,
                                  planned_in_arcs(m, g, place, options), options,
                                  rows_certainty(m, g, place), certainty::about));
}

}  // namespace gossamer
