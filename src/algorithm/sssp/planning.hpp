// Which engine and width of buckets shortest paths take, bytes by rank and purpose, and arenas.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "algorithm/driver/engine_choice.hpp"
#include "algorithm/driver/memory_layout.hpp"
#include "algorithm/layouts/arc_weights.hpp"
#include "gossamer/algorithm/sssp.hpp"
#include "gossamer/placement/placed_graph.hpp"

namespace gossamer::sssp_detail {

using algorithm_detail::memory_layout;

/// async where all of several GPUs are asked for or `several` gain, else sync: the measurements are
/// in docs/design/sssp.md.
algorithm_detail::engine_choice auto_engine(const machine& m, rank_use use, bool several);

/// Width of buckets: asked for, the graph's own, or for weights and degrees on such a machine
/// (docs/design/sssp.md has the rules). usage_error where too many lists would come of it.
double delta_for(const machine& m, const graph& g, const sssp_options& options,
                 const algorithm_detail::weight_facts& facts);

/// What a plan is made from: a graph, or what is known before there is one.
struct problem {
  std::int64_t vertices = 0, arcs = 0;
  int id_width = 4, weight_bytes = 0;
  bool symmetric = false;
  bool skewed = true;  ///< or not known not to be
  certainty vertices_are = certainty::exact, arcs_are = certainty::exact;
  std::int64_t lists = 0;  ///< a thread's, one a bucket; 0 where buckets are no lists
  // Where ranks search on a placement:
  planned_rows rows = {};
  memory_plan placing = {};
};
/// `options` names an engine, not auto.
problem problem_of(const machine& m, const graph& g, const sssp_options& options);
problem problem_of(const machine& m, const graph_shape& g, int weight_bytes,
                   const sssp_options& options);

/// How ranks that search on a placement of the graph have it.
place_options placement_of(const sssp_options& options);

/// Of a CPU rank's slice, where it is not the caller's.
inline void declare_weights(algorithm_detail::memory_layout& layout, const problem& p, int r) {
  if (p.rows.moved)
    layout.own(r, "weights of slices", p.rows.arcs[static_cast<std::size_t>(r)] * p.weight_bytes,
               p.rows.arcs_are);
}

/// Of an entry in a bucket.
int entry_bytes(const problem& p);
/// Of the buckets of `rows` vertices that `threads` share, about.
std::int64_t bucket_bytes(const problem& p, std::int64_t rows, int threads = 1);
/// Of results where ranks are processes.
void declare_gathered(algorithm_detail::memory_layout& layout, const machine& m, const problem& p,
                      int rank, const sssp_options& options);
/// What CPU ranks take of rows, and `own(rank)` between.
template <class Own>
void declare_slices(algorithm_detail::memory_layout& layout, const machine& m, const problem& p,
                    const sssp_options& options, const Own& own) {
  for (int r = 0; r < m.size(); ++r) {
    declare_weights(layout, p, r);
    own(r);
    declare_gathered(layout, m, p, r, options);
  }
}

/// What it takes; `options` has the engine's name.
algorithm_detail::memory_layout layout_of(const machine& m, const problem& p,
                                          const sssp_options& options);

}  // namespace gossamer::sssp_detail
