// Bytes of a search, by rank and purpose.
#include "algorithm/bfs/planning.hpp"

#include "algorithm/bfs/engine.hpp"
#include "algorithm/bfs/rank_search.hpp"
#include "algorithm/bfs/vector_queue/steps.hpp"
#include "algorithm/driver/memory_layout.hpp"

namespace gossamer {

using algorithm_detail::aligned, algorithm_detail::memory_layout;

namespace {

/// Levels that the driver steps: what an engine has, and what ranks send each other.
void declare_levels(memory_layout& l, const bfs_detail::planned_rank& p,
                    const bfs_options& options) {
  bfs_detail::declare_search(
      l, p,
      p.on_gpu() ? bfs_detail::cuda_engine_bytes(p) : bfs_detail::cpu_engine_bytes(p, options));
  if (bfs_detail::steps_alone(p.on)) return;
  const auto between = p.count<bfs_detail::exchange>(p.rows(), p.placed(), p.ranks());
  l.window(p.self, "frontier bitmaps, inbox", between.window, p.vertices_are);
  algorithm_detail::array_list agreed;
  agreed.count_agreement(p.ranks());
  l.agreement(p.self, p.agreement(), agreed.bytes().host_window + p.agreement());
}

/// `in_arcs`: of each rank.
memory_layout layout_of(const machine& m, const ownership_sizes& owners, std::int64_t arcs,
                        int width, const std::vector<std::int64_t>& in_arcs, bool by_columns,
                        const bfs_options& options, certainty sure = certainty::exact,
                        certainty sure_arcs = certainty::exact) {
  memory_layout l(m);
  const auto* engine = bfs_detail::functions_of(options.engine);
  for (int r = 0; r < m.size(); ++r) {
    const bfs_detail::planned_rank p{m,     owners,    r,
                                     width, arcs,      in_arcs[static_cast<std::size_t>(r)],
                                     sure,  sure_arcs, by_columns};
    if (engine != nullptr)
      engine->declare(l, p, options);
    else
      declare_levels(l, p, options);
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
    all.push_back(g.id_width() == 4 ? bfs_detail::arrivals_of<vertex32>(g, r).arcs
                                    : bfs_detail::arrivals_of<vertex64>(g, r).arcs);
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
  return layout_of(g.on(), ownership_sizes(g.owners()), g.arcs(), g.id_width(), in_arcs_of(g),
                   g.by_columns(), options);
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
  return with_placement(
      plan_placement(m, g, place),
      layout_of(m, owners, g.arcs(), wide ? 8 : 4, planned_in_arcs(m, g, place, options),
                place.makes_columns(m.size()), options, sure, sure));
}

memory_plan bfs_search::plan(const machine& m, const graph_shape& g, const place_options& place,
                             const bfs_options& asked) {
  const bfs_options options = bfs_detail::settle(m, asked).options;
  const ownership_sizes owners = plan_ownership(m, g, place);
  const bool wide = g.id_width == 8 || owners.placed() > std::int64_t{0x7fffffff};
  return with_placement(
      plan_placement(m, g, place),
      layout_of(m, owners, g.arcs, wide ? 8 : 4, planned_in_arcs(m, g, place, options),
                place.makes_columns(m.size()), options, rows_certainty(m, g, place),
                certainty::about));
}

}  // namespace gossamer
