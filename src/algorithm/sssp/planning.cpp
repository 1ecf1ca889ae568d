// Choices made from the machine and the graph's weights, and what engines take that is not one
// engine's own.
#include "algorithm/sssp/planning.hpp"

#include <algorithm>
#include <cmath>

#include "algorithm/driver/placement_choice.hpp"
#include "algorithm/driver/vertex_worklist.hpp"
#include "algorithm/host_driven/drive.hpp"
#include "algorithm/layouts/degree_facts.hpp"
#include "algorithm/sssp/engine.hpp"
#include "algorithm/sssp/sync/buckets.hpp"
#include "gossamer/base/shown.hpp"
#include "gossamer/dataflow/worklist/short_rows.hpp"
#include "gossamer/graph/advice.hpp"
#include "gossamer/machine/system.hpp"
#include "gossamer/machine/topology.hpp"
#include "gossamer/placement/vertex_values.hpp"

namespace gossamer::sssp_detail {

using algorithm_detail::memory_layout, algorithm_detail::weight_facts;

namespace {

/// Several ranks of this host whose threads take turns on its cores.
bool has_few_cores(const machine& m) {
  int threads = 0;
  for (int r = 0; r < m.size(); ++r)
    if (m.here(r) && m[r].model == nullptr) threads += m[r].threads;
  return m.size() > 1 && threads > host().cores;
}

bool has_cpus(const machine& m) {
  for (int r = 0; r < m.size(); ++r)
    if (!m[r].is_cuda()) return true;
  return false;
}

}  // namespace

algorithm_detail::engine_choice auto_engine(const machine& m, rank_use use, bool several) {
  const bool gpus = m[0].is_cuda();
  if (algorithm_detail::has_gpus(m) && has_cpus(m))
    return {"host", "chosen, the only one for CPUs and GPUs together"};
  if (several) return {"async", "chosen, GPUs share so many arcs that one takes longer"};
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

namespace {

/// A model of a GPU, whose windows are to be as wide as a GPU's.
bool has_wide_windows(const device& d) {
  return d.model != nullptr && d.model->native == model::memory::device;
}

double choose_delta(const machine& m, const graph& g, const weight_facts& facts) {
  if (!(facts.largest > 0)) return 1;
  const double degree =
      static_cast<double>(g.arcs()) / static_cast<double>(std::max<std::int64_t>(1, g.vertices()));
  double asked = facts.mean / std::max(1.0, degree);
  const bool wide = algorithm_detail::has_gpus(m) || has_wide_windows(m[0]);
  const auto degrees = algorithm_detail::degrees_of(g);
  if (wide) {
    const bool network = dataflow::has_short_rows(g.vertices(), g.arcs(), degrees.longest);
    asked = network ? 32 * facts.mean : 4 * asked;
  } else if (!degrees.skewed) {
    // The fewer arcs, the fewer looks are for nothing in a wider bucket.
    asked *= std::max(1.0, 25 / std::max(1.0, degree));
  }
  const double smallest = bucket_width::smallest(facts.largest);
  asked = std::max(asked, smallest);
  // The bucket of an integer is found by a shift then.
  const bool integers = std::holds_alternative<shared_array<std::int32_t>>(g.weights);
  if (wide || !integers || asked < 1) return asked;
  const double power = std::exp2(std::round(std::log2(asked)));
  return power < smallest ? 2 * power : power;
}

}  // namespace

double delta_for(const machine& m, const graph& g, const sssp_options& options,
                 const weight_facts& facts) {
  if (!algorithm_detail::is_soft(options)) return algorithm_detail::one_window;
  const double smallest = bucket_width::smallest(facts.largest);
  // A window of a worklist is no list: it may be as narrow as anyone likes.
  const bool lists = !kind_of(options.engine).worklist;
  if (!options.delta) {
    const auto advised = advised_delta(g);
    if (!advised) return choose_delta(m, g, facts);
    return lists ? std::max(*advised, smallest) : *advised;
  }
  if (*options.delta < smallest && lists)
    throw usage_error("sssp: delta " + shown(*options.delta) +
                      " makes too many buckets: the largest weight is " + shown(facts.largest) +
                      ", so that delta must be at least " + shown(smallest));
  return *options.delta;
}

namespace {

/// Of a distance of such a graph: as wide as its weights.
int distance_bytes(const graph& g) {
  return std::holds_alternative<shared_array<double>>(g.weights) ? 8 : 4;
}

/// Room for entries of a vertex. It waits once for each time that its distance fell. Of d distances
/// in random order, 1 + ln d are smaller than all before. Lists that double have up to twice the
/// room.
double times_queued(std::int64_t vertices, std::int64_t arcs) {
  const double degree =
      static_cast<double>(arcs) / static_cast<double>(std::max<std::int64_t>(1, vertices));
  return 2 * (1 + std::log(std::max(1.0, degree)));
}

}  // namespace

int entry_bytes(const problem& p) {
  return p.id_width == 4 && p.weight_bytes == 4 ? 8 : 16;
}
std::int64_t bucket_bytes(const problem& p, std::int64_t rows, int threads) {
  const auto list = entry_bytes(p) == 8 ? sizeof(buckets<vertex32, float>::list)
                                        : sizeof(buckets<vertex64, double>::list);
  return static_cast<std::int64_t>(times_queued(p.vertices, p.arcs) *
                                   static_cast<double>(rows * entry_bytes(p))) +
         p.lists * threads * static_cast<std::int64_t>(list);
}

void declare_gathered(memory_layout& l, const machine& m, const problem& p, int r,
                      const sssp_options& options) {
  const std::int64_t n = p.rows.ids();
  std::int64_t gathered =
      p.weight_bytes == 8 ? placed_values<double>::bytes(m, n) : placed_values<float>::bytes(m, n);
  if (options.parents) gathered += placed_values<std::int64_t>::bytes(m, p.vertices);
  l.host_window(r, "gathered results", gathered, p.vertices_are);
}

place_options placement_of(const sssp_options& options) {
  return algorithm_detail::placement_by_arcs(options);
}

namespace {

/// Of each of a rank's arenas: agreement, and what a modelled system's own takes for it.
std::int64_t agreement_bytes(const machine& m) {
  return 65536 + m.size() * 64;
}

/// A GPU has other windows, and a worklist's are bounds alone.
bool has_lists(const machine& m, const sssp_options& options) {
  return !m[0].is_cuda() && !kind_of(options.engine).worklist && algorithm_detail::is_soft(options);
}

template <class Graph>
problem placed_as(problem p, const machine& m, const Graph& g, const sssp_options& options) {
  p.rows = plan_rows(m, g, placement_of(options));
  if (kind_of(options.engine).placed(m)) p.placing = plan_placement(m, g, placement_of(options));
  return p;
}

}  // namespace

problem problem_of(const machine& m, const graph& g, const sssp_options& options) {
  problem p{g.vertices(),      g.arcs(),    g.id_width(),
            distance_bytes(g), g.symmetric, algorithm_detail::degrees_of(g).skewed};
  if (has_lists(m, options) && g.weighted()) {
    const auto facts =
        algorithm_detail::check_weights(g, "shortest paths need", options.run.cancel);
    p.lists = bucket_width(delta_for(m, g, options, facts), facts.largest).count;
  }
  return placed_as(p, m, g, options);
}

problem problem_of(const machine& m, const graph_shape& g, int weight_bytes,
                   const sssp_options& options) {
  problem p{g.vertices,  g.arcs, g.id_width,     weight_bytes,
            g.symmetric, true,   g.vertices_are, g.arcs_are};
  if (has_lists(m, options)) {
    // Nobody has seen the weights yet: as if all up to the largest were equally frequent.
    const double degree =
        static_cast<double>(g.arcs) / static_cast<double>(std::max<std::int64_t>(1, g.vertices));
    const double largest = 2 * std::max(1.0, degree);
    p.lists = bucket_width(std::max(1.0, bucket_width::smallest(largest)), largest).count;
  }
  return placed_as(p, m, g, options);
}

memory_layout layout_of(const machine& m, const problem& p, const sssp_options& options) {
  memory_layout l(m, agreement_bytes(m));
  l.include(p.placing);
  kind_of(options.engine).declare(l, m, p, options);
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
