// How a kernel of a plan is launched. It may start while the kernel before it in the stream still
// runs, reads what it needs to know, and waits for that one's end (programmatic dependent launch).
#pragma once

#include <cuda_runtime.h>

#include "gossamer/base/check_cuda.hpp"
#include "gossamer/machine/stream.hpp"

namespace gossamer::collective_gpu {

template <class... Parameters, class... Arguments>
void launch_early(void (*kernel)(Parameters...), int blocks, int threads, const stream& on,
                  const Arguments&... arguments) {
  cudaLaunchAttribute early{};
  early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  early.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t how{};
  how.gridDim = dim3(static_cast<unsigned>(blocks));
  how.blockDim = dim3(static_cast<unsigned>(threads));
  how.stream = static_cast<cudaStream_t>(on.native());
  how.attrs = &early;
  how.numAttrs = 1;
  GOSSAMER_CHECK_CUDA(cudaLaunchKernelEx(&how, kernel, arguments...));
}

/// The stream's turn has come: what came before is complete. Only now may the next kernel start, so
/// that no more than one waits beside the one that runs.
__device__ inline void begin_turn() {
  cudaGridDependencySynchronize();
  cudaTriggerProgrammaticLaunchCompletion();
}

}  // namespace gossamer::collective_gpu
