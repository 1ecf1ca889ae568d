// What communities take of a machine's memories: the plan, and the arenas of a run.
#pragma once

#include <cstdint>

#include "algorithm/driver/memory_layout.hpp"
#include "gossamer/algorithm/communities.hpp"

namespace gossamer::communities_detail {

using algorithm_detail::memory_layout;

/// What a plan is made from: a graph, or what is known before there is one.
struct problem {
  std::int64_t vertices = 0, arcs = 0;
  int id_width = 4;
  bool weighted = false;
  certainty vertices_are = certainty::exact, arcs_are = certainty::exact;
};
problem problem_of(const graph& g);
/// With weights.
problem problem_of(const graph_shape& g);

/// What it takes. `options` has the engine's name.
memory_layout layout_of(const machine& m, const problem& p, const communities_options& options);

}  // namespace gossamer::communities_detail
