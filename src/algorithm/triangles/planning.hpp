// What triangles takes of a machine's memories: the plan, and the arenas of a run.
#pragma once

#include <cstdint>

#include "algorithm/driver/memory_layout.hpp"
#include "gossamer/algorithm/triangles.hpp"

namespace gossamer::triangles_detail {

using algorithm_detail::memory_layout;

/// What a plan is made from: a graph, or what is known before there is one.
struct problem {
  std::int64_t vertices = 0, arcs = 0;
  int id_width = 4;
  int weight_width = 0;  ///< bytes of a weight that counts, or 0
  bool symmetric = false;
  /// Bytes of a copy with sorted rows, and of making it; 0: they are sorted.
  std::int64_t sorting = 0;
  bool directed = false;  ///< known to be: neither is a bound for both
  certainty vertices_are = certainty::exact, arcs_are = certainty::exact;
};
problem problem_of(const graph& g, const triangles_options& options);
problem problem_of(const graph_shape& g, const triangles_options& options);

/// What it takes. `options` has the engine's name.
memory_layout layout_of(const machine& m, const problem& p, const triangles_options& options);

}  // namespace gossamer::triangles_detail
