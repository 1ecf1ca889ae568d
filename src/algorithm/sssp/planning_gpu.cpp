// Bytes and arenas of GPU ranks: worklists on every rank, or engine sync on the first alone. The
// other half of planning.cpp.
#include "algorithm/sssp/planning_gpu.hpp"

#include "algorithm/sssp/async/worklist_search.hpp"
#include "algorithm/sssp/gpu.hpp"

namespace gossamer::sssp_detail {

namespace {

bool is_worklist(const sssp_options& options) {
  return options.engine == "async" || options.engine == "host";
}

gpu_worklist_bytes worklist_bytes_on(const machine& m, const problem& p, int r,
                                     const sssp_options& options) {
  return gpu_worklist_bytes_of(m, p.rows, r, p.weight_bytes,
                               algorithm_detail::drive_of("sssp", options, options.engine, 1));
}

}  // namespace

/// Engine sync: the first of several searches alone.
void plan_gpu(memory_plan& plan, const machine& m, const problem& p, int r,
              const sssp_options& options) {
  if (is_worklist(options)) {
    const auto b = worklist_bytes_on(m, p, r, options);
    plan.add(r, memory_kind::device, "arcs with weights", b.arcs, p.rows.arcs_are);
    plan_list(plan, r, b.lists, "distances, lists and marks", p.rows.rows_are);
    return;
  }
  if (r != 0) return;
  const auto b = gpu_bytes_of(p.vertices, p.arcs, p.id_width, p.weight_bytes);
  plan.add(r, memory_kind::device, "rows", b.rows, p.arcs_are);
  plan.add(r, memory_kind::device, "queues and marks", b.work + b.scratch, p.vertices_are);
  plan.add(r, memory_kind::device, "distances of results", b.result, p.vertices_are);
}

arena_plan gpu_arena(const machine& m, const problem& p, int r, const sssp_options& options) {
  if (is_worklist(options)) return worklist_bytes_on(m, p, r, options).lists.windows;
  arena_plan plan{0, 0};
  if (options.engine == "sync" && r == 0)
    plan.native = static_cast<std::size_t>(
        gpu_bytes_of(p.vertices, p.arcs, p.id_width, p.weight_bytes).scratch);
  return plan;
}

}  // namespace gossamer::sssp_detail
