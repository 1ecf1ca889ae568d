// The kernel of a distributed worklist. Included by one .cu file an operator.
#pragma once

#include <cuda_runtime.h>

#include "gossamer/base/check_cuda.hpp"
#include "gossamer/dataflow/worklist/cuda/launch.hpp"
#include "gossamer/dataflow/worklist/cuda/loop.cuh"

namespace gossamer::dataflow::cuda {

/// Arguments stay where they are, also for functions that are not inlined.
template <class View, class Start>
__global__ void __launch_bounds__(list_threads, 1)
    list_kernel(const __grid_constant__ View v, const __grid_constant__ Start start) {
  run_list(v, start);
}

template <class View, class Start>
const void* loaded_list_kernel() {
  const auto kernel = &list_kernel<View, Start>;
  cudaFuncAttributes attributes;  // which loads it
  GOSSAMER_CHECK_CUDA(cudaFuncGetAttributes(&attributes, kernel));
  return reinterpret_cast<const void*>(kernel);
}

template <class Operator, class Weight, class Start>
const void* list_kernel_of(bool lone) {
  return lone ? loaded_list_kernel<lone_list_view<Operator, Weight>, Start>()
              : loaded_list_kernel<list_view<Operator, Weight>, Start>();
}

}  // namespace gossamer::dataflow::cuda
