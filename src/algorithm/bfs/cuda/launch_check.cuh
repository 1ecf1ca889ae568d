// Launches of this folder: the stream of a site, and what all folders share.
#pragma once

#include <cuda_runtime.h>

#include "algorithm/bfs/cuda/launch.hpp"
#include "algorithm/cuda/launch.cuh"

namespace gossamer::bfs_detail::cuda {

/// Blocks a multiprocessor holds at once with this block size.
inline constexpr int resident_blocks = 2048 / block_threads;

inline cudaStream_t stream_of(const launch_site& on) {
  return static_cast<cudaStream_t>(on.stream);
}

using algorithm_detail::cuda::blocks_for;
using algorithm_detail::cuda::launched;

}  // namespace gossamer::bfs_detail::cuda
