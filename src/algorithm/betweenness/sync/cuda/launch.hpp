// Kernels of betweenness, as functions. The host code of a rank (engine.cpp) sees no launch syntax.
#pragma once

#include "algorithm/betweenness/sync/cuda/search_view.hpp"

namespace gossamer::betweenness_detail::cuda {

/// Searches until no group has a source, or groups have left after `of.pause`; asynchronous in a
/// stream (cudaStream_t). `of.groups` times `of.blocks` blocks are resident together.
template <class Id>
void launch_search(void* stream, const search_view<Id>& of);

/// Adds up scores; asynchronous.
void launch_collect(void* stream, const collect_view& of);
/// Gives both arcs of each edge what both found; asynchronous.
template <class Id>
void launch_join(void* stream, const join_view<Id>& of);

}  // namespace gossamer::betweenness_detail::cuda
