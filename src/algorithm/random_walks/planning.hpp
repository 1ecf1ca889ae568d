// What random walks take of a machine's memories: the plan, and the arenas of a run.
#pragma once

#include <cstdint>

#include "algorithm/driver/memory_layout.hpp"
#include "gossamer/algorithm/random_walks.hpp"

namespace gossamer::random_walks_detail {

using algorithm_detail::memory_layout;

/// What a plan is made from: a graph, or what is known before there is one.
struct problem {
  std::int64_t vertices = 0, arcs = 0;
  int id_width = 4;
  certainty vertices_are = certainty::exact, arcs_are = certainty::exact;
};
problem problem_of(const graph& g);
problem problem_of(const graph_shape& g);

/// Bytes of all walks from so many sources; as many as there are numbers for, if there are more.
std::int64_t walk_bytes(std::int64_t sources, int id_width, const random_walks_options& options);

/// What it takes, with walks from so many sources. `options` has the engine's name.
memory_layout layout_of(const machine& m, const problem& p, const random_walks_options& options,
                        std::int64_t sources);

}  // namespace gossamer::random_walks_detail
