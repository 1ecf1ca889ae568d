// Choices made from the machine and the graph's weights, and bytes of CPU ranks. Bytes of GPU ranks
// are in planning_gpu.cpp.
#include "algorithm/sssp/planning.hpp"

#include <algorithm>
#include <cmath>

#include "algorithm/driver/vertex_worklist.hpp"
#include "algorithm/layouts/degree_facts.hpp"
#include "algorithm/sssp/async/async.hpp"
#include "algorithm/sssp/async/worklist_search.hpp"
#include "algorithm/sssp/gpu.hpp"
#include "algorithm/sssp/program.hpp"
#include "algorithm/sssp/sync/buckets.hpp"
#include "algorithm/sssp/sync/peer.hpp"
#include "algorithm/sssp/sync/solo.hpp"
#include "algorithm/sssp/tasks/tasks.hpp"
#include "gossamer/dataflow/worklist/short_rows.hpp"
#include "gossamer/machine/topology.hpp"
#include "gossamer/placement/slice_weights.hpp"
#include "gossamer/placement/vertex_values.hpp"

namespace gossamer::sssp_detail {

using algorithm_detail::memory_layout;

namespace {

/// Several ranks of this host whose threads take turns on its cores.
bool has_few_cores(const machine& m) {
  int threads = 0;
  for (int r = 0; r < m.size(); ++r)
    if (m.here(r) && m[r].model == nullptr) threads += m[r].threads;
  return m.size() > 1 && threads > host().cores;
}

}  // namespace

algorithm_detail::engine_choice auto_engine(const machine& m, rank_use use) {
  const bool gpus = m[0].is_cuda();
  if (gpus && m.size() > 1 && use == rank_use::all) {
    // Kernels that cannot wait for each other need the host between them.
    bool together = true;
    for (int r = 0; r < m.size(); ++r)
      together = together && !(m.here(r) && shared_kernels(m[r]) == sharing::in_turn);
    return {together ? "async" : "host", "chosen, works on all GPUs, as asked for"};
  }
  const char* why = gpus               ? "chosen, faster than async on one GPU"
                    : has_few_cores(m) ? "chosen, as where each thread has a core; here there are "
                                         "more threads than cores, and async may be faster"
                                       : "chosen, faster than async where each thread has a core";
  return {"sync", why};
}

double choose_delta(const machine& m, const graph& g, const algorithm_detail::weight_facts& facts) {
  if (!(facts.largest > 0)) return 1;
  const double degree =
      static_cast<double>(g.arcs()) / static_cast<double>(std::max<std::int64_t>(1, g.vertices()));
  double asked = facts.mean / std::max(1.0, degree);
  if (m[0].is_cuda()) {
    const bool network =
        dataflow::has_short_rows(g.vertices(), g.arcs(), algorithm_detail::degrees_of(g).longest);
    asked = network ? 32 * facts.mean : 4 * asked;
  }
  const double smallest = bucket_width::smallest(facts.largest);
  asked = std::max(asked, smallest);
  // The bucket of an integer is found by a shift then.
  const bool integers = std::holds_alternative<shared_array<std::int32_t>>(g.weights);
  if (m[0].is_cuda() || !integers || asked < 1) return asked;
  const double power = std::exp2(std::round(std::log2(asked)));
  return power < smallest ? 2 * power : power;
}

namespace {

/// Of a distance of such a graph: as wide as its weights.
int distance_bytes(const graph& g) {
  return std::holds_alternative<shared_array<double>>(g.weights) ? 8 : 4;
}

template <class Id>
std::int64_t async_bytes(const planned_rows& rows, int rank, int distance_bytes, bool soft) {
  return distance_bytes == 8 ? async_search<Id, double>::work_bytes(rows, rank, soft)
                             : async_search<Id, float>::work_bytes(rows, rank, soft);
}

/// Room for entries of a vertex. It waits once for each time that its distance fell. Of d distances
/// in random order, 1 + ln d are smaller than all before. Lists that double have up to twice the
/// room.
double times_queued(std::int64_t vertices, std::int64_t arcs) {
  const double degree =
      static_cast<double>(arcs) / static_cast<double>(std::max<std::int64_t>(1, vertices));
  return 2 * (1 + std::log(std::max(1.0, degree)));
}

int entry_bytes(const problem& p) {
  return p.id_width == 4 && p.weight_bytes == 4 ? 8 : 16;
}
std::int64_t bucket_bytes(const problem& p, std::int64_t rows) {
  return static_cast<std::int64_t>(times_queued(p.vertices, p.arcs) *
                                   static_cast<double>(rows * entry_bytes(p)));
}

/// One CPU rank that searches alone: rows copied in their order, and buckets.
void declare_solo(memory_layout& l, const problem& p) {
  const std::int64_t rows =
      p.weight_bytes == 8 || p.id_width == 8
          ? solo_search<vertex64, double>::work_bytes(p.vertices, p.arcs, p.skewed)
          : solo_search<vertex32, float>::work_bytes(p.vertices, p.arcs, p.skewed);
  l.own(0, "rows in order", rows, p.arcs_are == certainty::exact ? certainty::at_most : p.arcs_are);
  l.own(0, "buckets", bucket_bytes(p, p.vertices), certainty::about);
}

void declare_async(memory_layout& l, const machine& m, const problem& p, int r,
                   const sssp_options& options) {
  const bool soft = algorithm_detail::is_soft(options);
  l.own(r, "known distances and worklists",
        p.id_width == 8 ? async_bytes<vertex64>(p.rows, r, p.weight_bytes, soft)
                        : async_bytes<vertex32>(p.rows, r, p.weight_bytes, soft),
        p.rows.rows_are);
  l.window(r, "inbox", async_search<vertex32, float>::arena_bytes(m.size()), p.rows.rows_are);
}

void declare_tasks(memory_layout& l, const machine& m, const problem& p, int r) {
  const std::int64_t n = p.rows.ids();
  l.own(r, "neighbours found", task_search<vertex64, double>::work_bytes(), p.vertices_are);
  l.window(r, "known distances and messages",
           p.weight_bytes == 8 ? task_search<vertex64, double>::arena_bytes(n, m.size())
                               : task_search<vertex32, float>::arena_bytes(n, m.size()),
           p.vertices_are);
  l.own(r, "buckets", bucket_bytes(p, p.rows.ids(r)), certainty::about);
}

void declare_peer(memory_layout& l, const machine& m, const problem& p, int r) {
  const std::int64_t n = p.rows.ids(), rows = p.rows.ids(r);
  const bool wide = p.weight_bytes == 8;
  l.own(r, "known distances",
        wide ? peer_search<vertex32, double>::work_bytes(n)
             : peer_search<vertex32, float>::work_bytes(n),
        p.vertices_are);
  l.window(r, "inbox",
           wide || p.id_width == 8 ? peer_search<vertex64, double>::arena_bytes(rows, m.size())
                                   : peer_search<vertex32, float>::arena_bytes(rows, m.size()),
           p.rows.rows_are);
  // Others' vertices wait in lists, each once, and are packed as they are sent.
  l.own(r, "buckets", bucket_bytes(p, rows) + (n - rows) * (p.id_width + entry_bytes(p)),
        certainty::about);
}

void declare_cpu(memory_layout& l, const machine& m, const problem& p, int r,
                 const sssp_options& options) {
  if (!searches_placed(m, options)) return declare_solo(l, p);
  if (p.rows.moved)
    l.own(r, "weights of slices", p.rows.arcs[static_cast<std::size_t>(r)] * p.weight_bytes,
          p.rows.arcs_are);
  if (options.engine == "async")
    declare_async(l, m, p, r, options);
  else if (options.engine == "tasks")
    declare_tasks(l, m, p, r);
  else
    declare_peer(l, m, p, r);
  const std::int64_t n = p.rows.ids();
  std::int64_t gathered =
      p.weight_bytes == 8 ? placed_values<double>::bytes(m, n) : placed_values<float>::bytes(m, n);
  if (options.parents) gathered += placed_values<std::int64_t>::bytes(m, p.vertices);
  l.host_window(r, "gathered results", gathered, p.vertices_are);
}

/// Engine sync: the first of several searches alone.
void declare_gpu(memory_layout& l, const machine& m, const problem& p, int r,
                 const sssp_options& options) {
  if (options.engine != "sync") {
    const auto b =
        gpu_worklist_bytes_of(m, p.rows, r, p.weight_bytes,
                              algorithm_detail::drive_of("sssp", options, options.engine, 1));
    l.own(r, "arcs with weights", b.arcs, p.rows.arcs_are);
    return declare_list(l, r, b.lists, "distances, lists and marks", p.rows.rows_are);
  }
  if (r != 0) return;
  const auto b = gpu_bytes_of(p.vertices, p.arcs, p.id_width, p.weight_bytes);
  l.own(r, "rows", b.rows, p.arcs_are);
  l.own(r, "counters", b.work);
  l.window(r, "queues and marks", b.scratch, p.vertices_are);
  l.own(r, "distances of results", b.result, p.vertices_are);
}

/// Of each of a rank's arenas: agreement, and what a modelled system's own takes for it.
std::int64_t agreement_bytes(const machine& m) {
  return 65536 + m.size() * 64;
}

}  // namespace

problem problem_of(const machine& m, const graph& g, const sssp_options& options) {
  problem p{g.vertices(),      g.arcs(),    g.id_width(),
            distance_bytes(g), g.symmetric, algorithm_detail::degrees_of(g).skewed};
  p.rows = plan_rows(m, g, placement_of(options));
  if (searches_placed(m, options)) p.placing = plan_placement(m, g, placement_of(options));
  return p;
}

problem problem_of(const machine& m, const graph_shape& g, int weight_bytes,
                   const sssp_options& options) {
  problem p{g.vertices,  g.arcs, g.id_width,     weight_bytes,
            g.symmetric, true,   g.vertices_are, g.arcs_are};
  p.rows = plan_rows(m, g, placement_of(options));
  if (searches_placed(m, options)) p.placing = plan_placement(m, g, placement_of(options));
  return p;
}

memory_layout layout_of(const machine& m, const problem& p, const sssp_options& options) {
  memory_layout l(m, agreement_bytes(m));
  l.include(p.placing);
  for (int r = 0; r < m.size(); ++r)
    (m[r].is_cuda() ? declare_gpu : declare_cpu)(l, m, p, r, options);
  l.shared("distances", p.vertices * p.weight_bytes, p.vertices_are);
  if (options.parents) {
    l.shared("parents", p.vertices * 8, p.vertices_are);
    if (!p.symmetric)
      l.shared("arcs reversed", (p.vertices + 1) * 8 + p.arcs * (p.id_width + p.weight_bytes),
               p.arcs_are);
  }
  if (p.rows.moved) l.shared("distances by rank", p.rows.ids() * p.weight_bytes, p.rows.rows_are);
  return l;
}

}  // namespace gossamer::sssp_detail
