// What distances take of a machine's memories: the plan, and the arenas of a run.
#pragma once

#include <cstdint>
#include <string>

#include "algorithm/driver/memory_layout.hpp"
#include "gossamer/algorithm/distances.hpp"

namespace gossamer::distances_detail {

using algorithm_detail::memory_layout;

/// What a plan is made from: a graph, or what is known before there is one.
struct problem {
  std::int64_t vertices = 0, arcs = 0;
  int id_width = 4;
  bool symmetric = false;
  /// Bytes of the arcs reversed, and of making them; 0 of a symmetric graph.
  std::int64_t reversing = 0;
  certainty vertices_are = certainty::exact, arcs_are = certainty::exact;
  bool directed = false;  ///< known not to be symmetric
};
problem problem_of(const graph& g);
problem problem_of(const graph_shape& g);

/// Whether eccentricities of all vertices are found by bounds, which hold of symmetric graphs.
inline bool bounded(const distances_options& options, bool symmetric) {
  return symmetric && options.measure != distance_measure::sums;
}
/// The same of a plan: a file that nobody has read may turn out symmetric.
inline bool bounded(const distances_options& options, const problem& p) {
  return bounded(options, !p.directed);
}

/// Why one of several GPUs works: of bounds, and of ranks that share one; "" where all do.
std::string why_one(const machine& m, bool bounded);

/// What it takes, but for a matrix of depths. `options` has the engine's name.
memory_layout layout_of(const machine& m, const problem& p, const distances_options& options);

}  // namespace gossamer::distances_detail
