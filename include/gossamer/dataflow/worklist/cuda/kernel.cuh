// The kernel of a distributed worklist. Included by one .cu file an operator.
#pragma once

#include <cuda_runtime.h>

#include "gossamer/dataflow/worklist/cuda/launch.hpp"
#include "gossamer/dataflow/worklist/cuda/loop.cuh"
#include "gossamer/machine/kernels.cuh"

namespace gossamer::dataflow::cuda {

/// Arguments stay where they are, also for functions that are not inlined.
template <class View, class Start>
__global__ void __launch_bounds__(list_threads, 1)
    list_kernel(const __grid_constant__ View v, const __grid_constant__ Start start) {
  run_list(v, start);
}

template <class Operator, class Weight, class Start>
const void* list_kernel_of(bool lone) {
  return lone ? reinterpret_cast<const void*>(&list_kernel<lone_list_view<Operator, Weight>, Start>)
              : reinterpret_cast<const void*>(&list_kernel<list_view<Operator, Weight>, Start>);
}

}  // namespace gossamer::dataflow::cuda
