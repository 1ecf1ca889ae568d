// Kernels of one's own, ready before a run. For .cu files.
#pragma once

#include <cuda_runtime.h>

#include "gossamer/base/check_cuda.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/machine/current_device.hpp"
#include "gossamer/machine/device.hpp"

namespace gossamer {

/// Loads a kernel onto a GPU, as its first launch would do. Call it outside of runs. Loading waits
/// for the kernels that run. So a first launch inside a run, beside a kernel that waits for this
/// rank, may last until the deadline. usage_error for a device that is no GPU.
template <class... Arguments>
void load_kernel(const device& on, void (*kernel)(Arguments...)) {
  require(on.is_cuda(), on.name + " runs no kernels; give the machine GPUs (cuda)");
  const current_device here(on.ordinal);
  cudaFuncAttributes attributes;
  GOSSAMER_CHECK_CUDA(cudaFuncGetAttributes(&attributes, kernel));
}

}  // namespace gossamer
