// Grid sizes, and checked launching.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>

#include "gossamer/base/check_cuda.hpp"

namespace gossamer::algorithm_detail::cuda {

/// Blocks for `n` units of work, `each` a block; at least one, because reports come from blocks.
inline unsigned blocks_for(std::int64_t n, std::int64_t each) {
  return static_cast<unsigned>(std::max<std::int64_t>(1, (n + each - 1) / each));
}

inline void launched() {
  GOSSAMER_CHECK_CUDA(cudaGetLastError());
}

}  // namespace gossamer::algorithm_detail::cuda
