#include "algorithm/components/planning.hpp"

#include <optional>

#include "algorithm/components/async/async.hpp"
#include "algorithm/components/async/flood.hpp"
#include "algorithm/components/gpu.hpp"
#include "algorithm/components/routed/routed_wires.hpp"
#include "algorithm/components/tasks/tasks.hpp"
#include "algorithm/driver/one_kernel.hpp"
#include "algorithm/driver/placement_choice.hpp"
#include "gossamer/dataflow/worklist/short_rows.hpp"

namespace gossamer::components_detail {

using algorithm_detail::memory_layout;

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

namespace {

bool is_flood(const std::string& engine) {
  return engine == "async" || engine == "host";
}

}  // namespace

place_options placement_of(const components_options& options, const std::string& engine) {
  place_options how = algorithm_detail::placement_by_arcs(options);
  how.both_directions = is_flood(engine);
  return how;
}

namespace {

template <class Graph>
void place(problem& p, const machine& m, const Graph& g, const components_options& options,
           const std::string& engine) {
  const place_options how = placement_of(options, engine);
  p.rows = plan_rows(m, g, how);
  if (engine == "routed") return;
  p.placing = plan_placement(m, g, how);
  if (is_flood(engine) && !p.symmetric) p.in_arcs = plan_in_arcs(m, g, how);
}

}  // namespace

problem problem_of(const machine& m, const graph& g, const components_options& options,
                   const std::string& engine) {
  problem p{g.vertices(), g.arcs(), g.id_width(), g.symmetric};
  place(p, m, g, options, engine);
  return p;
}

problem problem_of(const machine& m, const graph_shape& g, const components_options& options,
                   const std::string& engine) {
  problem p{g.vertices, g.arcs, g.id_width, g.symmetric, g.vertices_are, g.arcs_are};
  place(p, m, g, options, engine);
  return p;
}

namespace {

/// Of a rank's arenas, either of them: signals, and what alignment takes.
std::int64_t signals_bytes(const machine& m) {
  return 4096 + m.size() * 8;
}

void declare_sync(memory_layout& l, const machine& m, const problem& p, int r) {
  if (m.size() == 1) return;
  l.window(r, "labels of the rank", aligned(p.rows.ids() * p.id_width), p.rows.rows_are);
  l.window(r, "labels of another", aligned(fetched * p.id_width) + 1024);
}

/// Before there is a graph, arcs are taken to lie evenly over the ranks.
void declare_gpu(memory_layout& l, const machine& m, const problem& p, int r) {
  const auto b = gpu_bytes_on(m, p, r);
  const certainty sure = p.rows.arcs_are;
  l.own(r, "chunks of long rows", b.chunks, sure);
  l.window(r, "labels of the rank", aligned(b.labels), p.vertices_are);
  l.own(r, "labels of results", b.left, p.vertices_are);
  l.window(r, "sizes of components", aligned(b.sizes), p.vertices_are);
  l.own(r, "arcs between ranks", b.between, sure);
  l.window(r, "labels of another", aligned(b.fetched));
}

std::int64_t in_arcs_of(const problem& p, int r) {
  return p.in_arcs.empty() ? 0 : p.in_arcs[static_cast<std::size_t>(r)];
}

/// Of a directed graph arcs are laid out in both directions.
void declare_gpu_flood(memory_layout& l, const machine& m, const problem& p, int r,
                       const components_options& options, const std::string& engine) {
  const std::int64_t arcs = p.rows.arcs[static_cast<std::size_t>(r)] + in_arcs_of(p, r);
  const auto b =
      gpu_flood_bytes_of(m, p.rows, r, arcs, p.symmetric, p.id_width,
                         algorithm_detail::drive_of("components", options, engine, one_label));
  l.own(r, "rows of both directions", b.rows, p.rows.arcs_are);
  declare_list(l, r, b.lists, "labels, lists and marks", p.rows.rows_are);
  // While they are made, from a copy.
  l.host(r, "rows of both directions", 2 * b.rows, p.rows.arcs_are);
}

void declare_async(memory_layout& l, const machine& m, const problem& p, int r,
                   const components_options& options) {
  const auto b =
      async_bytes_on(m, p.rows, r, in_arcs_of(p, r), p.symmetric, p.id_width, options.priority);
  l.own(r, "known labels and worklists", b.work, p.rows.rows_are);
  l.window(r, "inbox", b.windows);
  l.host_window(r, "gathered results", b.gathered, p.rows.rows_are);
  l.own(r, "arcs of both directions", b.arcs, p.rows.arcs_are);
}

void declare_tasks(memory_layout& l, const machine& m, const problem& p, int r) {
  const auto b = tasks_bytes_on(m, p.rows, r, p.id_width);
  l.own(r, "vertices to tell of", b.work, p.rows.rows_are);
  l.window(r, "forest and messages", b.windows, p.rows.rows_are);
  l.host_window(r, "gathered results", b.gathered, p.rows.rows_are);
}

graph_sizes sizes_of(const problem& p) {
  return {p.vertices, p.arcs, p.id_width, 0, p.symmetric};
}

void declare_routed(memory_layout& l, const problem& p, const routed_wires& wires, int r) {
  const auto b = routed_bytes_on(sizes_of(p), wires, r);
  l.window(r, "labels of the rank", b.labels, p.vertices_are);
  l.host_window(r, "packets of edges", b.made, p.arcs_are);
  l.window(r, "receive buffers", b.received, p.arcs_are);
  l.host_window(r, "headers and counters", b.notes);
}

}  // namespace

memory_layout layout_of(const machine& m, const problem& p, const components_options& options,
                        const std::string& engine) {
  memory_layout l(m, signals_bytes(m));
  l.include(p.placing);
  std::optional<routed_wires> wires;
  if (engine == "routed") wires.emplace(m, sizes_of(p), options.packet);
  for (int r = 0; r < m.size(); ++r) {
    if (wires)
      declare_routed(l, p, *wires, r);
    else if (m[r].is_cuda() && is_flood(engine))
      declare_gpu_flood(l, m, p, r, options, engine);
    else if (m[r].is_cuda())
      declare_gpu(l, m, p, r);
    else if (engine == "async")
      declare_async(l, m, p, r, options);
    else if (engine == "tasks")
      declare_tasks(l, m, p, r);
    else
      declare_sync(l, m, p, r);
  }
  l.shared("labels", p.vertices * p.id_width, p.vertices_are);
  l.shared("sizes of components", p.vertices * p.id_width, p.vertices_are);
  // They name placed ids, and are renamed through a table of their own.
  if (p.rows.moved && engine != "routed")
    l.shared("labels by rank", 2 * p.rows.ids() * p.id_width, p.rows.rows_are);
  return l;
}

}  // namespace gossamer::components_detail
