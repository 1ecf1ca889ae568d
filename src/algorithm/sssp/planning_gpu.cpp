#include "algorithm/sssp/planning_gpu.hpp"

#include "algorithm/sssp/gpu.hpp"
#include "algorithm/sssp/host_search.hpp"
#include "algorithm/sssp/worklist_search.hpp"

namespace gossamer::sssp_detail {

namespace {

gpu_worklist_bytes worklist_bytes_on(const problem& p, int r) {
  return gpu_worklist_bytes_of(p.rows.bounds, r, p.rows.arcs[static_cast<std::size_t>(r)],
                               p.weight_bytes);
}

/// Links of engine host, and what its threads tell each other.
arena_plan links_on(const machine& m, const problem& p, int r, const sssp_options& options) {
  const auto how = host_options(options, 1);
  return algorithm_detail::host_loop_arena(make_host_graph(m, p.rows.bounds, p.weight_bytes, how),
                                           how, r);
}

void plan_host(memory_plan& plan, const machine& m, const problem& p, int r,
               const sssp_options& options) {
  const auto b = host_worklist_bytes_of(p.rows.bounds, r, p.rows.arcs[static_cast<std::size_t>(r)],
                                        p.weight_bytes, host_options(options, 1).route);
  const auto links = links_on(m, p, r, options);
  plan.add(r, memory_kind::device, "arcs with weights", b.arcs, p.rows.arcs_are);
  plan.add(r, memory_kind::device, "distances, lists and marks", b.work, p.rows.rows_are);
  plan.add(r, memory_kind::device, "links and packed messages",
           static_cast<std::int64_t>(links.native), p.rows.rows_are);
  plan.add(r, memory_kind::host, "headers, counters and reports",
           static_cast<std::int64_t>(links.host));
}

}  // namespace

/// Engine sync: the first of several searches alone.
void plan_gpu(memory_plan& plan, const machine& m, const problem& p, int r,
              const sssp_options& options) {
  if (options.engine == "host") {
    plan_host(plan, m, p, r, options);
    return;
  }
  if (options.engine == "async") {
    const auto b = worklist_bytes_on(p, r);
    plan.add(r, memory_kind::device, "arcs with weights", b.arcs, p.rows.arcs_are);
    plan.add(r, memory_kind::device, "distances, lists and marks", b.work, p.rows.rows_are);
    plan.add(r, m.all_direct() ? memory_kind::device : memory_kind::host, "messages", b.windows,
             p.rows.rows_are);
    return;
  }
  if (r != 0) return;
  const auto b = gpu_bytes_of(p.vertices, p.arcs, p.id_width, p.weight_bytes);
  plan.add(r, memory_kind::device, "rows", b.rows, p.arcs_are);
  plan.add(r, memory_kind::device, "queues and marks", b.work + b.scratch, p.vertices_are);
  plan.add(r, memory_kind::device, "distances of results", b.result, p.vertices_are);
}

arena_plan gpu_arena(const machine& m, const problem& p, int r, const sssp_options& options) {
  if (options.engine == "host") return links_on(m, p, r, options);
  arena_plan plan{0, 0};
  if (options.engine == "async")
    (m.all_direct() ? plan.native : plan.host) =
        static_cast<std::size_t>(worklist_bytes_on(p, r).windows);
  if (options.engine == "sync" && r == 0)
    plan.native = static_cast<std::size_t>(
        gpu_bytes_of(p.vertices, p.arcs, p.id_width, p.weight_bytes).scratch);
  return plan;
}

}  // namespace gossamer::sssp_detail
