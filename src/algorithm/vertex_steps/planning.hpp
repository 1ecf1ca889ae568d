// What steps take of a machine's memories: the graph laid out and turned, and arrays of vertices.
#pragma once

#include <cstdint>
#include <vector>

#include "algorithm/driver/memory_layout.hpp"
#include "gossamer/algorithm/vertex_steps.hpp"
#include "gossamer/graph/memory_needs.hpp"
#include "gossamer/placement/placed_graph.hpp"

namespace gossamer::steps_detail {

/// What a plan is made from: a graph, or what is known before there is one.
struct problem {
  graph_sizes sizes;
  memory_plan placed;
  planned_rows rows;
  std::vector<std::int64_t> in_arcs = {};   ///< [ranks]; not of CPU ranks and a graph
  certainty turned_are = certainty::exact;  ///< of what symmetric graphs do not take
  bool skewed = false;                      ///< a few vertices have many arcs, or may have
  certainty skewed_are = certainty::exact;  ///< of what only skewed graphs take
};
/// `skewed`: whether it is. `where`: how it will be placed.
problem problem_of(const machine& m, const graph& g, const place_options& where, bool skewed);
problem problem_of(const machine& m, const graph_shape& g, const place_options& where,
                   int weight_bytes);

/// How graphs are placed for steps.
place_options placement_of(std::int64_t memory);
/// Whether arcs are turned beside the placement, which turns them without weights. CPU ranks read
/// its own.
bool turns_arcs(const machine& m, const graph_sizes& g);

/// The graph, and what lies beside it. `hubs`: programs may gather from copies in hubs' order.
algorithm_detail::memory_layout layout_of(const machine& m, const problem& p, bool hubs);
/// The same with arrays, and what turning arcs takes before they are there.
algorithm_detail::memory_layout layout_of(const machine& m, const problem& p,
                                          const steps_fields& fields);

}  // namespace gossamer::steps_detail
