// Choices made from the machine and the graph's weights, and bytes of CPU ranks. Bytes of GPU ranks
// are in planning_gpu.cpp.
#include "algorithm/sssp/planning.hpp"

#include <algorithm>
#include <cmath>

#include "algorithm/driver/vertex_worklist.hpp"
#include "algorithm/layouts/degree_facts.hpp"
#include "algorithm/sssp/async/async.hpp"
#include "algorithm/sssp/planning_gpu.hpp"
#include "algorithm/sssp/program.hpp"
#include "algorithm/sssp/sync/buckets.hpp"
#include "algorithm/sssp/sync/peer.hpp"
#include "algorithm/sssp/sync/solo.hpp"
#include "algorithm/sssp/tasks/tasks.hpp"
#include "gossamer/dataflow/worklist/short_rows.hpp"
#include "gossamer/fabric/arena.hpp"
#include "gossamer/machine/topology.hpp"
#include "gossamer/placement/slice_weights.hpp"
#include "gossamer/placement/vertex_values.hpp"

namespace gossamer::sssp_detail {

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

/// What a search takes on one CPU rank, in bytes.
struct rank_bytes {
  std::int64_t rows = 0;      ///< copied, in their order; 0 where they are placed
  std::int64_t weights = 0;   ///< beside the columns of slices that are copies
  std::int64_t work = 0;      ///< known distances and marks, lists of async; 0 on one rank of sync
  std::int64_t buckets = 0;   ///< and lists for others, about; 0 with async
  std::int64_t windows = 0;   ///< in the native arena
  std::int64_t gathered = 0;  ///< in the host arena, where ranks are processes
};

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

rank_bytes bytes_on(const machine& m, const problem& p, int rank, const sssp_options& options) {
  const int id_width = p.id_width, distance_bytes = p.weight_bytes;
  rank_bytes b;
  if (!searches_placed(m, options)) {
    b.rows = distance_bytes == 8 || id_width == 8
                 ? solo_search<vertex64, double>::work_bytes(p.vertices, p.arcs, p.skewed)
                 : solo_search<vertex32, float>::work_bytes(p.vertices, p.arcs, p.skewed);
    b.buckets = bucket_bytes(p, p.vertices);
    return b;
  }
  const std::int64_t n = p.rows.ids(), rows = p.rows.ids(rank);
  if (p.rows.moved) b.weights = p.rows.arcs[static_cast<std::size_t>(rank)] * distance_bytes;
  b.gathered =
      distance_bytes == 8 ? placed_values<double>::bytes(m, n) : placed_values<float>::bytes(m, n);
  if (options.parents) b.gathered += placed_values<std::int64_t>::bytes(m, p.vertices);
  if (options.engine == "async") {
    const bool soft = algorithm_detail::is_soft(options);
    b.work = id_width == 8 ? async_bytes<vertex64>(p.rows, rank, distance_bytes, soft)
                           : async_bytes<vertex32>(p.rows, rank, distance_bytes, soft);
    b.windows = async_search<vertex32, float>::arena_bytes(m.size());
    return b;
  }
  b.buckets = bucket_bytes(p, rows);
  if (options.engine == "tasks") {
    b.work = task_search<vertex64, double>::work_bytes();
    b.windows = distance_bytes == 8 ? task_search<vertex64, double>::arena_bytes(n, m.size())
                                    : task_search<vertex32, float>::arena_bytes(n, m.size());
    return b;
  }
  b.windows = distance_bytes == 8 || id_width == 8
                  ? peer_search<vertex64, double>::arena_bytes(rows, m.size())
                  : peer_search<vertex32, float>::arena_bytes(rows, m.size());
  // Others' vertices wait in lists, each once, and are packed as they are sent.
  b.buckets += (n - rows) * (id_width + entry_bytes(p));
  b.work = distance_bytes == 8 ? peer_search<vertex32, double>::work_bytes(n)
                               : peer_search<vertex32, float>::work_bytes(n);
  return b;
}

/// Of each of a rank's arenas: agreement, and what a modelled system's own takes for it.
std::size_t agreement_bytes(const machine& m) {
  return (std::size_t{1} << 16) + static_cast<std::size_t>(m.size()) * 64;
}

void plan_cpu(memory_plan& plan, const machine& m, const problem& p, int r,
              const sssp_options& options) {
  const certainty sure = m.size() > 1 ? p.rows.rows_are : p.vertices_are;
  const auto b = bytes_on(m, p, r, options);
  plan.add(r, memory_kind::host, "rows in order", b.rows,
           p.arcs_are == certainty::exact ? certainty::at_most : p.arcs_are);
  plan.add(r, memory_kind::host, "weights of slices", b.weights, p.rows.arcs_are);
  plan.add(r, memory_kind::host,
           options.engine == "async"   ? "known distances and worklists"
           : options.engine == "tasks" ? "neighbours found"
                                       : "known distances",
           b.work, options.engine == "async" ? sure : p.vertices_are);
  plan.add(r, memory_kind::host, "buckets", b.buckets, certainty::about);
  plan.add(r, memory_kind::host,
           options.engine == "tasks" ? "known distances and messages" : "inbox", b.windows,
           options.engine == "tasks" ? p.vertices_are : sure);
  plan.add(r, memory_kind::host, "gathered results", b.gathered, p.vertices_are);
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

memory_plan make_plan(const machine& m, const problem& p, const sssp_options& options) {
  memory_plan plan;
  plan.entries = p.placing.entries;
  const auto overhead = static_cast<std::int64_t>(arena_overhead(m.size()) + agreement_bytes(m));
  int first_here = -1;
  for (int r = 0; r < m.size(); ++r) {
    if (!m.here(r)) continue;
    if (first_here < 0) first_here = r;
    const bool gpu = m[r].is_cuda();
    if (gpu)
      plan_gpu(plan, m, p, r, options);
    else
      plan_cpu(plan, m, p, r, options);
    plan.add(r, native_memory(m[r]), "agreement and tables of windows",
             gpu ? overhead : 2 * overhead);
    if (gpu) plan.add(r, memory_kind::host, "tables of windows on the host", overhead);
  }
  plan.add(first_here, memory_kind::host, "distances", p.vertices * p.weight_bytes, p.vertices_are);
  if (options.parents) {
    plan.add(first_here, memory_kind::host, "parents", p.vertices * 8, p.vertices_are);
    if (!p.symmetric)
      plan.add(first_here, memory_kind::host, "arcs reversed",
               (p.vertices + 1) * 8 + p.arcs * (p.id_width + p.weight_bytes), p.arcs_are);
  }
  if (p.rows.moved)
    plan.add(first_here, memory_kind::host, "distances by rank", p.rows.ids() * p.weight_bytes,
             p.rows.rows_are);
  plan.limit_to(m, options.memory);
  return plan;
}

std::vector<arena_plan> make_arenas(const machine& m, const problem& p,
                                    const sssp_options& options) {
  std::vector<arena_plan> arenas;
  for (int r = 0; r < m.size(); ++r) {
    arena_plan plan{0, 0};
    if (m[r].is_cuda()) {
      plan = gpu_arena(m, p, r, options);
    } else {
      const rank_bytes b = bytes_on(m, p, r, options);
      plan = {static_cast<std::size_t>(b.windows), static_cast<std::size_t>(b.gathered)};
    }
    plan.native += agreement_bytes(m);
    plan.host += agreement_bytes(m);
    arenas.push_back(plan);
  }
  return arenas;
}

}  // namespace gossamer::sssp_detail
