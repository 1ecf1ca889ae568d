// The kernel of a distributed worklist. Included by one .cu file an operator.
#pragma once

#include "algorithm/cuda/launch.cuh"
#include "algorithm/cuda/worklist/launch.hpp"
#include "algorithm/cuda/worklist/loop.cuh"

namespace gossamer::algorithm_detail::cuda {

template <class Operator, class Weight, class Start>
__global__ void __launch_bounds__(list_threads, 1)
    list_kernel(list_view<Operator, Weight> v, Start start) {
  run_list(v, start);
}

template <class Operator, class Weight, class Start>
const void* list_kernel_of() {
  load(&list_kernel<Operator, Weight, Start>);
  return reinterpret_cast<const void*>(&list_kernel<Operator, Weight, Start>);
}

}  // namespace gossamer::algorithm_detail::cuda
