// How deep a graph is, about: guessed from how fast searches from a few vertices grow.
#pragma once

#include <cstdint>
#include <vector>

#include "gossamer/graph/csr.hpp"

namespace gossamer::algorithm_detail {

/// Of a breadth-first search from any vertex that has arcs, about.
struct growth_facts {
  double levels = 0;
  double reached = 0;  ///< vertices
};

/// The beginning of a search: how many vertices it has reached within each distance. `whole`: there
/// are no more.
struct grown_ball {
  std::vector<std::int64_t> within;
  bool whole = false;
};

/// Levels of the whole search, if it reaches `vertices` and goes on as it began. The mean numbers
/// of vertices a level in the first and second part of the ball say by which power of the distance
/// it grows. One without a power (few levels, or more than the fourth) multiplies.
double levels_of(const grown_ball& ball, std::int64_t vertices);

/// The middle of three samples, from the same vertices for each graph. Some 150 us, whatever its
/// size.
growth_facts sample_growth(const graph& g);
/// Found where an earlier call sampled it (placement/kept.hpp). `g`: in host memory.
growth_facts growth_of(const graph& g);

}  // namespace gossamer::algorithm_detail
