// Bytes of a search, by rank and purpose.
#include "algorithm/bfs/planning.hpp"

#include "algorithm/bfs/cpu/published.hpp"
#include "algorithm/bfs/engine.hpp"

namespace gossamer {

namespace {

std::int64_t aligned(std::int64_t bytes) {
  return (bytes + 255) / 256 * 256;
}

/// The windows of one rank, as driver.cpp makes them.
struct window_bytes {
  std::int64_t bits = 0, inbox = 0, depths = 0, signals = 0, scalars = 0, results = 0;
};
window_bytes windows_of(const machine& m, const ownership_sizes& owners, int rank, int width,
                        const bfs_options& options, bool modelled) {
  const std::int64_t p = owners.ranks();
  window_bytes w;
  const bool deterministic = options.deterministic;
  // Where a modelled system has collectives of its own, agreement keeps a few lines in either
  // memory.
  const std::int64_t own = modelled ? 65536 : 0;
  if (options.engine == "published") {
    w.inbox = static_cast<std::int64_t>(bfs_detail::cpu_published<vertex32>::window_bytes(
                  owners.local_size(rank), owners.placed(), owners.ranks(), rank)) +
              own;
    w.scalars = aligned(2 * p * 2 * 8) + own;
    if (!m.all_here()) w.results = aligned(owners.placed() * width) + aligned(owners.placed() * 4);
    return w;
  }
  if (p > 1) {
    const std::int64_t message =
        width == 4 ? sizeof(bfs_detail::message<vertex32>) : sizeof(bfs_detail::message<vertex64>);
    w.bits = aligned(2 * owners.placed() / 8);
    w.inbox = aligned(p * owners.local_size(rank) * message);
    w.signals = 2 * aligned(p * 8) + own;
    w.scalars = aligned(2 * p * 2 * 8) + own;
  }
  if (!m.all_here()) w.results = aligned(owners.placed() * width) + aligned(owners.placed() * 4);
  if (deterministic) w.depths = aligned(owners.placed() * 4);
  return w;
}

void plan_search(memory_plan& plan, const machine& m, const ownership_sizes& owners, int width,
                 const bfs_options& options, certainty sure = certainty::exact) {
  for (int r = 0; r < m.size(); ++r) {
    if (!m.here(r)) continue;
    const memory_kind kind = native_memory(m[r]);
    const auto need =
        (m[r].is_cuda() ? bfs_detail::cuda_engine_bytes : bfs_detail::cpu_engine_bytes)(
            owners.local_size(r), owners.placed(), width, m.size());
    const window_bytes w = windows_of(m, owners, r, width, options, m[r].model != nullptr);
    plan.add(r, kind, "frontiers and queues", need.work, sure);
    plan.add(r, kind, "parents and depths", need.result, sure);
    plan.add(r, kind, "frontier bitmaps", w.bits, sure);
    plan.add(r, kind, "inbox", w.inbox, sure);
    plan.add(r, kind, "depths of all", w.depths, sure);
    // The windows, and what is kept.
    plan.add(r, memory_kind::host, "results of all ranks", 2 * w.results, sure);
  }
}

}  // namespace

namespace bfs_detail {

std::vector<arena_plan> arenas(const placed_graph& g, const bfs_options& options) {
  const ownership_sizes owners(g.owners());
  std::vector<arena_plan> plans;
  for (int r = 0; r < g.on().size(); ++r) {
    const window_bytes w =
        windows_of(g.on(), owners, r, g.id_width(), options, g.on()[r].model != nullptr);
    plans.push_back({static_cast<std::size_t>(w.bits + w.inbox + w.depths + w.signals),
                     static_cast<std::size_t>(w.scalars + w.results)});
  }
  return plans;
}

}  // namespace bfs_detail

memory_plan bfs_search::plan(const placed_graph& g, const bfs_options& options) {
  memory_plan plan;
  plan.limit = g.plan().limit;
  plan.host_limit = g.plan().host_limit;
  plan_search(plan, g.on(), ownership_sizes(g.owners()), g.id_width(), options);
  return plan;
}

memory_plan bfs_search::plan(const machine& m, const graph& g, const place_options& place,
                             const bfs_options& options) {
  memory_plan plan = plan_placement(m, g, place);
  const ownership_sizes owners = plan_ownership(m, g, place);
  const bool wide = g.id_width() == 8 || owners.placed() > std::int64_t{0x7fffffff};
  plan_search(plan, m, owners, wide ? 8 : 4, options,
              place.partition == "metis" ? certainty::about : certainty::exact);
  return plan;
}

memory_plan bfs_search::plan(const machine& m, const graph_shape& g, const place_options& place,
                             const bfs_options& options) {
  memory_plan plan = plan_placement(m, g, place);
  const ownership_sizes owners = plan_ownership(m, g, place);
  const bool wide = g.id_width == 8 || owners.placed() > std::int64_t{0x7fffffff};
  plan_search(plan, m, owners, wide ? 8 : 4, options, rows_certainty(m, g, place));
  return plan;
}

}  // namespace gossamer
