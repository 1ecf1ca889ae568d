// Grid sizes and checked loading of kernels, for the .cu files of this folder.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>

#include "algorithm/bfs/cuda/launch.hpp"
#include "gossamer/base/check_cuda.hpp"

namespace gossamer::bfs_detail::cuda {

inline cudaStream_t stream_of(const launch_site& on) {
  return static_cast<cudaStream_t>(on.stream);
}

/// Blocks for `n` units of work, `each` a block; at least one, because reports come from blocks.
inline unsigned blocks_for(std::int64_t n, std::int64_t each) {
  return static_cast<unsigned>(std::max<std::int64_t>(1, (n + each - 1) / each));
}

inline void launched() {
  GOSSAMER_CHECK_CUDA(cudaGetLastError());
}

template <class... Args>
void load(void (*kernel)(Args...)) {
  cudaFuncAttributes attributes;
  GOSSAMER_CHECK_CUDA(cudaFuncGetAttributes(&attributes, kernel));
}

}  // namespace gossamer::bfs_detail::cuda
