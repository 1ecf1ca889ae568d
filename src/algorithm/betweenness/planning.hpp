// What betweenness takes of a machine's memories: the plan, and the arenas of a run.
#pragma once

#include <cstdint>

#include "algorithm/betweenness/laid_rows.hpp"
#include "algorithm/driver/memory_layout.hpp"
#include "gossamer/algorithm/betweenness.hpp"

namespace gossamer::betweenness_detail {

using algorithm_detail::memory_layout;

/// What a plan is made from: a graph, or what is known before there is one.
struct problem {
  std::int64_t vertices = 0, arcs = 0;
  int id_width = 4;
  bool symmetric = false;
  /// Bytes of rows in another order, without parallel arcs, or reversed, and of making them.
  std::int64_t laying_out = 0;
  bool simplified = false;  ///< rows are not the caller's: parallel arcs are made one
  certainty vertices_are = certainty::exact, arcs_are = certainty::exact;
};
problem problem_of(const graph& g, const betweenness_options& options);
problem problem_of(const graph_shape& g, const betweenness_options& options);

/// Sources of a run, at most.
std::int64_t sources_of(std::int64_t vertices, const betweenness_options& options);
row_uses uses_of(std::int64_t vertices, const betweenness_options& options);

/// What it takes. `options` has the engine's name.
memory_layout layout_of(const machine& m, const problem& p, const betweenness_options& options);

}  // namespace gossamer::betweenness_detail
