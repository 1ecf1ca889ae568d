// The kernels of distances, as functions. The host code of a rank (engine.cpp) sees no launch
// syntax. `stream`: cudaStream_t; all but the first are asynchronous in it.
#pragma once

#include "algorithm/distances/sync/cuda/depth_view.hpp"
#include "algorithm/distances/sync/cuda/search_view.hpp"

namespace gossamer::distances_detail::cuda {

/// What one launch takes at most. Tests have small ones.
struct launch_limits {
  unsigned long long nanoseconds;  ///< after which a search ends with a level; the host hears then
  std::int64_t sources;            ///< whose totals are brought to the host together
};
launch_limits most_at_once();

/// Blocks of the current GPU that are resident together on `units` multiprocessors. The kernel is
/// made ready.
template <class Id>
int prepare_search(int units);
/// Searches until all batches are done, or a level ends after `of.pause`, or is too deep.
template <class Id>
void launch_search(void* stream, int blocks, const search_view<Id>& of);

template <class Id>
void launch_matrix(void* stream, int units, const depth_planes& from,
                   const depth_matrix_view<Id>& to);

/// Warps of a step of bounds, which each offer candidates.
int bounds_warps(int units);
template <class Id>
void launch_bounds(void* stream, int units, bounds_step step, const bounds_view<Id>& of,
                   const depth_planes& from);

}  // namespace gossamer::distances_detail::cuda
