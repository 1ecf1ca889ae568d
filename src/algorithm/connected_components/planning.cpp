#include "algorithm/connected_components/planning.hpp"

#include <optional>

#include "algorithm/connected_components/async.hpp"
#include "algorithm/connected_components/flood.hpp"
#include "algorithm/connected_components/gpu.hpp"
#include "algorithm/connected_components/routed_wires.hpp"
#include "algorithm/connected_components/tasks.hpp"
#include "algorithm/row_ranges.hpp"
#include "algorithm/short_rows.hpp"
#include "gossamer/fabric/arena.hpp"

namespace gossamer::components_detail {

algorithm_detail::engine_choice choose_engine(const machine& m, const std::string& asked) {
  bool gpus_elsewhere = false;
  for (int r = 0; r < m.size(); ++r)
    gpus_elsewhere = gpus_elsewhere || (m[r].is_cuda() && m[r].process >= 0);
  // On any ranks, mixed as they may be, but for GPUs of MPI processes, where it has never run.
  if (asked == "routed" && !gpus_elsewhere) return {asked, "asked for"};
  const char* why = m[0].is_cuda() ? "chosen, faster than async on GPUs"
                                   : "chosen, faster than async wherever both were measured";
  return algorithm_detail::choose_engine("components", asked, m, why, {"tasks", "routed"});
}

algorithm_detail::chosen_ranks choose_ranks(const machine& all, rank_use use, std::int64_t vertices,
                                            std::int64_t arcs) {
  constexpr std::int64_t enough_arcs = std::int64_t{1} << 24;
  std::string why;
  if (!algorithm_detail::may_use_fewer(all)) return {all, use, why};
  if (!algorithm_detail::short_in_the_mean(vertices, arcs))
    why = "few of its arcs need a look, and several merge labels of all vertices";
  else if (arcs < enough_arcs)
    why =
        "to merge labels takes several longer than one takes for " + std::to_string(arcs) + " arcs";
  return {all, use, why};
}

bool may_own_labels(const machine& m, bool symmetric, std::int64_t vertices, std::int64_t arcs) {
  if (m.size() == 1 || !symmetric || !algorithm_detail::short_in_the_mean(vertices, arcs))
    return false;
  for (int r = 0; r < m.size(); ++r)
    for (int peer = 0; peer < m.size(); ++peer)
      if (!m.between(r, peer).load_store || !m.between(r, peer).atomic) return false;
  return true;
}

problem problem_of(const machine& m, const graph& g, algorithm_detail::vertex_parts parts) {
  problem p{g.arcs(),
            g.id_width(),
            g.symmetric,
            parts.first_or(algorithm_detail::arc_ranges(g.offsets.span(), m.size())),
            {}};
  p.own_arcs = algorithm_detail::arcs_of_ranks(parts, g.offsets.span(), p.first, g.arcs());
  p.parts = std::move(parts);
  return p;
}

problem problem_of(const machine& m, const graph_shape& g, algorithm_detail::vertex_parts parts) {
  const auto ranks = static_cast<std::size_t>(m.size());
  return {g.arcs,
          g.id_width,
          g.symmetric,
          algorithm_detail::even_ranges(g.vertices, m.size()),
          std::vector<std::int64_t>(ranks, (g.arcs + m.size() - 1) / m.size()),
          g.vertices_are,
          g.arcs_are,
          std::move(parts)};
}

namespace {

bool rows_known(const problem& p) {
  return p.arcs_are == certainty::exact && !p.parts.estimated;
}
/// Of what depends on how many rows a CPU rank has.
certainty rows_certainty(const machine& m, const problem& p) {
  return m.size() > 1 && !rows_known(p) ? certainty::about : p.vertices_are;
}

/// Of a rank's arenas, either of them: signals, and what alignment takes.
std::size_t signals_bytes(const machine& m) {
  return 4096 + static_cast<std::size_t>(m.size()) * 8;
}

void plan_sync(memory_plan& plan, const machine& m, const problem& p, int r) {
  if (m.size() == 1) return;
  plan.add(r, memory_kind::host, "labels of the rank", aligned(p.vertices() * p.id_width),
           p.vertices_are);
  plan.add(r, memory_kind::host, "labels of another", aligned(fetched * p.id_width) + 1024);
}

/// Before there is a graph, arcs are taken to lie evenly over the ranks.
void plan_gpu(memory_plan& plan, const machine& m, const problem& p, int r) {
  const auto b = gpu_bytes_on(m, p, r);
  const certainty sure = m.size() > 1 && !rows_known(p) ? certainty::about : p.arcs_are;
  plan.add(r, memory_kind::device, "rows", b.rows, sure);
  plan.add(r, memory_kind::device, "chunks of long rows", b.chunks, sure);
  plan.add(r, memory_kind::device, "labels of the rank", aligned(b.labels), p.vertices_are);
  plan.add(r, memory_kind::device, "labels of results and sizes", b.left, p.vertices_are);
  plan.add(r, memory_kind::device, "arcs between ranks", b.between, sure);
  plan.add(r, memory_kind::device, "labels of another", aligned(b.fetched));
}

/// Of a directed graph arcs are laid out in both directions.
gpu_flood_bytes flood_bytes_on(const problem& p, int r) {
  const std::int64_t arcs = p.own_arcs[static_cast<std::size_t>(r)];
  return gpu_flood_bytes_of(p.first, r, p.symmetric ? arcs : 2 * arcs);
}

void plan_gpu_async(memory_plan& plan, const machine& m, const problem& p, int r, bool first_here) {
  const auto b = flood_bytes_on(p, r);
  const bool exact = rows_known(p) && (p.symmetric || m.size() == 1);
  const certainty lists = algorithm_detail::certainty_of_rows(p.parts, p.vertices_are);
  plan.add(r, memory_kind::device, "rows", b.rows, exact ? certainty::exact : certainty::about);
  plan.add(r, memory_kind::device, "labels, lists and marks", b.work, lists);
  plan.add(r, m.all_direct() ? memory_kind::device : memory_kind::host, "messages", b.windows,
           lists);
  if (!first_here) return;
  const auto host = async_bytes_on(m, p.first, r, p.arcs, p.symmetric, p.id_width, "soft");
  plan.add(r, memory_kind::host, "arcs of both directions", host.arcs, p.arcs_are);
}

void plan_async(memory_plan& plan, const machine& m, const problem& p, int r, bool first_here,
                const components_options& options) {
  const auto b = async_bytes_on(m, p.first, r, p.arcs, p.symmetric, p.id_width, options.priority);
  // Lists are as long as a range has rows.
  plan.add(r, memory_kind::host, "known labels and worklists", b.work, rows_certainty(m, p));
  plan.add(r, memory_kind::host, "inbox", b.windows);
  plan.add(r, memory_kind::host, "gathered results", b.gathered, p.vertices_are);
  if (first_here) plan.add(r, memory_kind::host, "arcs of both directions", b.arcs, p.arcs_are);
}

void plan_tasks(memory_plan& plan, const machine& m, const problem& p, int r) {
  const auto b = tasks_bytes_on(m, p.first, r, p.id_width);
  plan.add(r, memory_kind::host, "vertices to tell of", b.work, rows_certainty(m, p));
  plan.add(r, memory_kind::host, "forest and messages", b.windows, p.vertices_are);
  plan.add(r, memory_kind::host, "gathered results", b.gathered, p.vertices_are);
}

graph_sizes sizes_of(const problem& p) {
  return {p.vertices(), p.arcs, p.id_width, 0, p.symmetric};
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

memory_plan make_plan(const machine& m, const problem& p, const components_options& options) {
  const std::string engine = choose_engine(m, options.engine).name;
  memory_plan plan;
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
    else if (gpu && engine == "async")
      plan_gpu_async(plan, m, p, r, r == first_here);
    else if (gpu)
      plan_gpu(plan, m, p, r);
    else if (engine == "async")
      plan_async(plan, m, p, r, r == first_here, options);
    else if (engine == "tasks")
      plan_tasks(plan, m, p, r);
    else
      plan_sync(plan, m, p, r);
  }
  plan.add(first_here, memory_kind::host, "labels", p.vertices() * p.id_width, p.vertices_are);
  plan.add(first_here, memory_kind::host, "sizes of components", p.vertices() * p.id_width,
           p.vertices_are);
  // Rows are told apart by their arcs alone; labels are renamed through a table of their own.
  algorithm_detail::plan_renumbering(plan, first_here, p.parts, sizes_of(p), 2 * p.id_width,
                                     p.vertices_are, p.arcs_are);
  plan.limit_to(m, options.memory);
  return plan;
}

std::vector<arena_plan> make_arenas(const machine& m, const problem& p,
                                    const components_options& options, const std::string& engine) {
  arena_plan arena;
  if (engine == "async" && m[0].is_cuda()) {
    arena.native = arena.host = signals_bytes(m);
    (m.all_direct() ? arena.native : arena.host) +=
        static_cast<std::size_t>(flood_bytes_on(p, 0).windows);
    return {arena};
  }
  if (engine == "async") {
    const auto b = async_bytes_on(m, p.first, 0, p.arcs, p.symmetric, p.id_width, options.priority);
    arena.native = static_cast<std::size_t>(b.windows) + signals_bytes(m);
    arena.host = static_cast<std::size_t>(b.gathered) + signals_bytes(m);
    return {arena};
  }
  if (engine == "tasks") {
    const auto b = tasks_bytes_on(m, p.first, 0, p.id_width);
    arena.native = static_cast<std::size_t>(b.windows) + signals_bytes(m);
    arena.host = static_cast<std::size_t>(b.gathered) + signals_bytes(m);
    return {arena};
  }
  if (engine == "routed") return routed_arenas(m, p, routed_wires(m, sizes_of(p), options.packet));
  if (m[0].is_cuda()) {
    const auto b = gpu_bytes_on(m, p, 0);
    arena.native = static_cast<std::size_t>(b.labels + b.fetched) + signals_bytes(m);
    arena.host = signals_bytes(m);
    return {arena};
  }
  const auto most = static_cast<std::size_t>((p.vertices() + fetched) * p.id_width);
  arena.native = (m.size() > 1 ? most : 0) + signals_bytes(m);
  arena.host = signals_bytes(m);
  return {arena};
}

}  // namespace gossamer::components_detail
