// What kernels after a batch of searches are given: its depths, the matrix, bounds.
#pragma once

#include <cstdint>

#include "algorithm/distances/sync/cuda/search_view.hpp"

namespace gossamer::distances_detail::cuda {

/// Depths of a batch, as the searches left them.
struct depth_planes {
  std::int64_t vertices;
  const lane_word* met;
  const lane_word* planes;
  int lanes, width;
  std::int32_t deepest;  ///< any of them
};

/// A matrix's rows of a batch.
template <class Id>
struct depth_matrix_view {
  const Id* targets;  ///< null: all vertices
  std::int64_t columns;
  std::int64_t row;  ///< entries from one row to the next, a multiple of 32
  void* depths;      ///< [lanes][row] of signed integers, as wide as `width`
};

/// Steps of bounds, each a kernel.
enum class bounds_step : std::uint8_t {
  begin,   ///< nothing is known but of vertices without arcs
  narrow,  ///< by a batch of searches
  small,   ///< finds eccentricities in small components that were not met
  choose   ///< finds candidates for the next sources
};

/// A source that may be next; the best that a warp has.
struct candidate {
  unsigned long long worth;  ///< 0: none
  std::int64_t vertex;
};

/// What steps of bounds count.
struct bounds_counts {
  unsigned long long open;  ///< vertices that matter still
  std::int32_t best;        ///< largest lower bound
};

template <class Id>
struct bounds_view {
  device_rows<Id> rows;
  std::int64_t vertices;
  std::int32_t* lower;
  std::int32_t* upper;
  const lane_total* totals;  ///< of the batch
  bool diameter;             ///< only the largest is wanted
  bounds_counts* counts;
  candidate* by_upper;  ///< [warps] of large upper bounds
  candidate* by_lower;  ///< [warps] of small lower bounds
};

}  // namespace gossamer::distances_detail::cuda
