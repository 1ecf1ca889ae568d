// The kernel of a distributed worklist. Included by one .cu file an operator.
#pragma once

#include "algorithm/cuda/launch.cuh"
#include "algorithm/cuda/worklist/launch.hpp"
#include "algorithm/cuda/worklist/loop.cuh"

namespace gossamer::algorithm_detail::cuda {

/// Arguments stay where they are, also for functions that are not inlined.
template <class View, class Start>
__global__ void __launch_bounds__(list_threads, 1)
    list_kernel(const __grid_constant__ View v, const __grid_constant__ Start start) {
  run_list(v, start);
}

template <class View, class Start>
const void* loaded_list_kernel() {
  load(&list_kernel<View, Start>);
  return reinterpret_cast<const void*>(&list_kernel<View, Start>);
}

template <class Operator, class Weight, class Start>
const void* list_kernel_of(bool lone) {
  return lone ? loaded_list_kernel<lone_list_view<Operator, Weight>, Start>()
              : loaded_list_kernel<list_view<Operator, Weight>, Start>();
}

}  // namespace gossamer::algorithm_detail::cuda
