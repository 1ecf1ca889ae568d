// How the passes of components are launched, and how their threads are numbered.
#pragma once

#include <cstdint>

#include "algorithm/components/sync/cuda/passes.hpp"
#include "algorithm/cuda/launch.cuh"

namespace gossamer::components_detail::cuda {

inline constexpr int block_threads = 256;
inline constexpr int blocks_a_unit = 8;  ///< they fill a multiprocessor

__device__ inline std::int64_t thread_number() {
  return std::int64_t{blockIdx.x} * block_threads + threadIdx.x;
}
__device__ inline std::int64_t thread_count() {
  return std::int64_t{gridDim.x} * block_threads;
}

/// A thread for each of `threads`, none for none.
template <class... Parameters, class... Args>
void launch(const launch_site& on, std::int64_t threads, void (*kernel)(Parameters...),
            const Args&... args) {
  if (threads <= 0) return;
  kernel<<<algorithm_detail::cuda::blocks_for(threads, block_threads), block_threads, 0,
           static_cast<cudaStream_t>(on.stream)>>>(args...);
  algorithm_detail::cuda::launched();
}

/// As many threads as the GPU runs at once, or fewer.
inline std::int64_t resident(const launch_site& on, std::int64_t threads) {
  const std::int64_t most = std::int64_t{on.units} * blocks_a_unit * block_threads;
  return threads < most ? threads : most;
}

}  // namespace gossamer::components_detail::cuda
