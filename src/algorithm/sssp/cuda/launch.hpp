// The kernel of shortest paths as functions: the host code (program.cpp) sees no launch syntax.
#pragma once

#include "algorithm/sssp/cuda/view.hpp"

namespace gossamer::sssp_detail::cuda {

/// Loads the kernel onto the current device.
template <class Distance>
void prepare_search();

/// Asynchronous; `blocks`: one a multiprocessor at most, so that all run at the same time.
template <class Distance>
void launch_search(void* stream, int blocks, const search_view<Distance>& v);

}  // namespace gossamer::sssp_detail::cuda
