#include "algorithm/sssp/planning_gpu.hpp"

#include "algorithm/sssp/gpu.hpp"
#include "algorithm/sssp/host_search.hpp"
#include "algorithm/sssp/worklist_search.hpp"

namespace gossamer::sssp_detail {

namespace {

/// About as many for each rank, where rows are not known.
std::int64_t own_arcs(const problem& p, int ranks) {
  return (p.arcs + ranks - 1) / ranks;
}

std::int64_t arcs_on(const problem& p, int r) {
  const int ranks = static_cast<int>(p.first.size()) - 1;
  return p.own.empty() ? own_arcs(p, ranks) : p.own[static_cast<std::size_t>(r)];
}
/// Of a rank's rows, and of lists that are as long as ranks have rows.
certainty arcs_are(const problem& p) {
  return p.own.empty() ? certainty::about
                       : algorithm_detail::certainty_of_rows(p.parts, p.arcs_are);
}
certainty lists_are(const problem& p) {
  return algorithm_detail::certainty_of_rows(p.parts, p.vertices_are);
}
gpu_worklist_bytes worklist_bytes_on(const problem& p, int r) {
  return gpu_worklist_bytes_of(p.first, r, arcs_on(p, r), p.weight_bytes);
}

/// Links of engine host, and what its threads tell each other.
arena_plan links_on(const machine& m, const problem& p, int r, const sssp_options& options) {
  const auto how = host_options(options, 1);
  return algorithm_detail::host_loop_arena(make_host_graph(m, p.first, p.weight_bytes, how), how,
                                           r);
}

void plan_host(memory_plan& plan, const machine& m, const problem& p, int r,
               const sssp_options& options) {
  const auto b = host_worklist_bytes_of(p.first, r, arcs_on(p, r), p.weight_bytes,
                                        host_options(options, 1).route);
  const auto links = links_on(m, p, r, options);
  plan.add(r, memory_kind::device, "rows", b.rows, arcs_are(p));
  plan.add(r, memory_kind::device, "distances, lists and marks", b.work, lists_are(p));
  plan.add(r, memory_kind::device, "links and packed messages",
           static_cast<std::int64_t>(links.native), lists_are(p));
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
    plan.add(r, memory_kind::device, "rows", b.rows, arcs_are(p));
    plan.add(r, memory_kind::device, "distances, lists and marks", b.work, lists_are(p));
    plan.add(r, m.all_direct() ? memory_kind::device : memory_kind::host, "messages", b.windows,
             lists_are(p));
    return;
  }
  if (r != 0) return;
  const auto b = gpu_bytes_of(p.vertices, p.arcs, p.id_width, p.weight_bytes);
  plan.add(r, memory_kind::device, "rows", b.rows, p.arcs_are);
  plan.add(r, memory_kind::device, "distances, queues and marks", b.work, p.vertices_are);
  plan.add(r, memory_kind::device, "distances of results", b.result, p.vertices_are);
}

arena_plan gpu_arena(const machine& m, const problem& p, int r, const sssp_options& options) {
  if (options.engine == "host") return links_on(m, p, r, options);
  arena_plan plan{0, 0};
  if (options.engine == "async")
    (m.all_direct() ? plan.native : plan.host) =
        static_cast<std::size_t>(worklist_bytes_on(p, r).windows);
  return plan;
}

}  // namespace gossamer::sssp_detail
