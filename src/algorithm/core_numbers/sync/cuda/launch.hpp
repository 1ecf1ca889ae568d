// The kernel that peels, as functions. The host code of a rank (engine.cpp) sees no launch syntax.
#pragma once

#include "algorithm/core_numbers/sync/cuda/peel_view.hpp"

namespace gossamer::core_numbers_detail::cuda {

/// Blocks of the current GPU that are resident together on `units` multiprocessors. The kernel is
/// made ready.
template <class Id>
int prepare_peeling(int units);

/// Peels until all have left, or a level ends after `of.pause`; asynchronous in a stream.
/// `stream`: cudaStream_t.
template <class Id>
void launch_peeling(void* stream, int blocks, const peel_view<Id>& of);

}  // namespace gossamer::core_numbers_detail::cuda
