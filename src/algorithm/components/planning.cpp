// Which engine and how many GPUs components takes, then its plan and arenas. All bytes are computed
// from one `problem`, filled from a graph or from its shape.
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
#include "gossamer/fabric/arena.hpp"

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
std::size_t signals_bytes(const machine& m) {
  return 4096 + static_cast<std::size_t>(m.size()) * 8;
}

void plan_sync(memory_plan& plan, const machine& m, const problem& p, int r) {
  if (m.size() == 1) return;
  plan.add(r, memory_kind::host, "labels of the rank", aligned(p.rows.ids() * p.id_width),
           p.rows.rows_are);
  plan.add(r, memory_kind::host, "labels of another", aligned(fetched * p.id_width) + 1024);
}

/// Before there is a graph, arcs are taken to lie evenly over the ranks.
void plan_gpu(memory_plan& plan, const machine& m, const problem& p, int r) {
  const auto b = gpu_bytes_on(m, p, r);
  const certainty sure = p.rows.arcs_are;
  plan.add(r, memory_kind::device, "chunks of long rows", b.chunks, sure);
  plan.add(r, memory_kind::device, "labels of the rank", aligned(b.labels), p.vertices_are);
  plan.add(r, memory_kind::device, "labels of results", b.left, p.vertices_are);
  plan.add(r, memory_kind::device, "sizes of components", aligned(b.sizes), p.vertices_are);
  plan.add(r, memory_kind::device, "arcs between ranks", b.between, sure);
  plan.add(r, memory_kind::device, "labels of another", aligned(b.fetched));
}

std::int64_t in_arcs_of(const problem& p, int r) {
  return p.in_arcs.empty() ? 0 : p.in_arcs[static_cast<std::size_t>(r)];
}
/// Of a directed graph arcs are laid out in both directions.
gpu_flood_bytes flood_bytes_on(const machine& m, const problem& p, int r,
                               const components_options& options, const std::string& engine) {
  const std::int64_t arcs = p.rows.arcs[static_cast<std::size_t>(r)] + in_arcs_of(p, r);
  return gpu_flood_bytes_of(m, p.rows, r, arcs, p.symmetric, p.id_width,
                            algorithm_detail::drive_of("components", options, engine, one_label));
}
async_bytes flood_bytes_on(const machine& m, const problem& p, int r, const std::string& priority) {
  return async_bytes_on(m, p.rows, r, in_arcs_of(p, r), p.symmetric, p.id_width, priority);
}

void plan_gpu_flood(memory_plan& plan, const machine& m, const problem& p, int r,
                    const components_options& options, const std::string& engine) {
  const auto b = flood_bytes_on(m, p, r, options, engine);
  plan.add(r, memory_kind::device, "rows of both directions", b.rows, p.rows.arcs_are);
  plan_list(plan, r, b.lists, "labels, lists and marks", p.rows.rows_are);
  // While they are made, from a copy.
  if (b.rows > 0)
    plan.add(r, memory_kind::host, "rows of both directions", 2 * b.rows, p.rows.arcs_are);
}

void plan_async(memory_plan& plan, const machine& m, const problem& p, int r,
                const components_options& options) {
  const auto b = flood_bytes_on(m, p, r, options.priority);
  plan.add(r, memory_kind::host, "known labels and worklists", b.work, p.rows.rows_are);
  plan.add(r, memory_kind::host, "inbox", b.windows);
  plan.add(r, memory_kind::host, "gathered results", b.gathered, p.rows.rows_are);
  plan.add(r, memory_kind::host, "arcs of both directions", b.arcs, p.rows.arcs_are);
}

void plan_tasks(memory_plan& plan, const machine& m, const problem& p, int r) {
  const auto b = tasks_bytes_on(m, p.rows, r, p.id_width);
  plan.add(r, memory_kind::host, "vertices to tell of", b.work, p.rows.rows_are);
  plan.add(r, memory_kind::host, "forest and messages", b.windows, p.rows.rows_are);
  plan.add(r, memory_kind::host, "gathered results", b.gathered, p.rows.rows_are);
}

graph_sizes sizes_of(const problem& p) {
  return {p.vertices, p.arcs, p.id_width, 0, p.symmetric};
}

void plan_routed(memory_plan& plan, const machine& m, const problem& p, const routed_wires& wires,
                 int r) {
  const auto b = routed_bytes_on(sizes_of(p), wires, r);
  const memory_kind native = native_memory(m[r]);
  plan.add(r, native, "labels of the rank", b.labels, p.vertices_are);
  if (b.made > 0) plan.add(r, memory_kind::host, "packets of edges", b.made, p.arcs_are);
  plan.add(r, native, "receive buffers", b.received, p.arcs_are);
  plan.add(r, memory_kind::host, "headers and counters", b.notes);
}

std::vector<arena_plan> routed_arenas(const machine& m, const problem& p,
                                      const routed_wires& wires) {
  std::vector<arena_plan> arenas;
  for (int r = 0; r < m.size(); ++r) {
    const auto b = routed_bytes_on(sizes_of(p), wires, r);
    arena_plan arena;
    arena.native = static_cast<std::size_t>(b.labels + b.received) + signals_bytes(m);
    arena.host = static_cast<std::size_t>(b.made + b.notes) + signals_bytes(m);
    arenas.push_back(arena);
  }
  return arenas;
}

}  // namespace

memory_plan make_plan(const machine& m, const problem& p, const components_options& options,
                      const std::string& engine) {
  memory_plan plan;
  plan.entries = p.placing.entries;
  int first_here = -1;
  std::optional<routed_wires> wires;
  if (engine == "routed") wires.emplace(m, sizes_of(p), options.packet);
  const auto overhead = static_cast<std::int64_t>(arena_overhead(m.size()) + signals_bytes(m));
  for (int r = 0; r < m.size(); ++r) {
    if (!m.here(r)) continue;
    if (first_here < 0) first_here = r;
    const bool gpu = m[r].is_cuda();
    plan.add(r, native_memory(m[r]), "signals and tables of windows",
             gpu ? overhead : 2 * overhead);
    if (gpu) plan.add(r, memory_kind::host, "tables of windows on the host", overhead);
    if (wires)
      plan_routed(plan, m, p, *wires, r);
    else if (gpu && is_flood(engine))
      plan_gpu_flood(plan, m, p, r, options, engine);
    else if (gpu)
      plan_gpu(plan, m, p, r);
    else if (engine == "async")
      plan_async(plan, m, p, r, options);
    else if (engine == "tasks")
      plan_tasks(plan, m, p, r);
    else
      plan_sync(plan, m, p, r);
  }
  plan.add(first_here, memory_kind::host, "labels", p.vertices * p.id_width, p.vertices_are);
  plan.add(first_here, memory_kind::host, "sizes of components", p.vertices * p.id_width,
           p.vertices_are);
  // They name placed ids, and are renamed through a table of their own.
  if (p.rows.moved && engine != "routed")
    plan.add(first_here, memory_kind::host, "labels by rank", 2 * p.rows.ids() * p.id_width,
             p.rows.rows_are);
  plan.limit_to(m, options.memory);
  return plan;
}

std::vector<arena_plan> make_arenas(const machine& m, const problem& p,
                                    const components_options& options, const std::string& engine) {
  arena_plan arena;
  if (is_flood(engine) && m[0].is_cuda()) {
    std::vector<arena_plan> arenas;  // links are as large as their rank's part
    for (int r = 0; r < m.size(); ++r)
      arenas.push_back(algorithm_detail::with_each(
          flood_bytes_on(m, p, r, options, engine).lists.windows, signals_bytes(m)));
    return arenas;
  }
  if (engine == "async") {
    const auto b = flood_bytes_on(m, p, 0, options.priority);
    arena.native = static_cast<std::size_t>(b.windows) + signals_bytes(m);
    arena.host = static_cast<std::size_t>(b.gathered) + signals_bytes(m);
    return {arena};
  }
  if (engine == "tasks") {
    const auto b = tasks_bytes_on(m, p.rows, 0, p.id_width);
    arena.native = static_cast<std::size_t>(b.windows) + signals_bytes(m);
    arena.host = static_cast<std::size_t>(b.gathered) + signals_bytes(m);
    return {arena};
  }
  if (engine == "routed") return routed_arenas(m, p, routed_wires(m, sizes_of(p), options.packet));
  if (m[0].is_cuda()) {
    const auto b = gpu_bytes_on(m, p, 0);
    arena.native = static_cast<std::size_t>(b.labels + b.fetched + b.sizes) + signals_bytes(m);
    arena.host = signals_bytes(m);
    return {arena};
  }
  const auto most = static_cast<std::size_t>((p.rows.ids() + fetched) * p.id_width);
  arena.native = (m.size() > 1 ? most : 0) + signals_bytes(m);
  arena.host = signals_bytes(m);
  return {arena};
}

}  // namespace gossamer::components_detail
