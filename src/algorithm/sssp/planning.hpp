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

/// async where all of several GPUs are asked for, else sync: the measurements are in
/// docs/design/sssp.md.
algorithm_detail::engine_choice auto_engine(const machine& m, rank_use use);

/// Width of buckets for weights and degrees on such a machine: docs/design/sssp.md has the rules.
double choose_delta(const machine& m, const graph& g, const algorithm_detail::weight_facts& facts);

/// What a plan is made from: a graph, or what is known before there is one.
struct problem {
  std::int64_t vertices, arcs;
  int id_width, weight_bytes;
  bool symmetric;
  bool skewed;  ///< or not known not to be
  certainty vertices_are = certainty::exact, arcs_are = certainty::exact;
  // Where ranks search on a placement:
  planned_rows rows = {};
  memory_plan placing = {};
};
/// `options` names an engine, not auto.
problem problem_of(const machine& m, const graph& g, const sssp_options& options);
problem problem_of(const machine& m, const graph_shape& g, int weight_bytes,
                   const sssp_options& options);

/// What it takes; `options` has the engine's name.
algorithm_detail::memory_layout layout_of(const machine& m, const problem& p,
                                          const sssp_options& options);

}  // namespace gossamer::sssp_detail
