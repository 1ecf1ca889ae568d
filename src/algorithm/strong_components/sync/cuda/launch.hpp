// The kernel that finds strong components, as functions. The host code of a rank (engine.cpp) sees
// no launch syntax.
#pragma once

#include "algorithm/strong_components/sync/cuda/search_view.hpp"

namespace gossamer::strong_components_detail::cuda {

/// Steps of searches and colours after which a kernel leaves the rest to the host.
unsigned most_levels();

/// Asynchronous in a stream (cudaStream_t). `blocks`: resident together.
template <class Id>
void launch_search(void* stream, int blocks, const search_view<Id>& of);

}  // namespace gossamer::strong_components_detail::cuda
