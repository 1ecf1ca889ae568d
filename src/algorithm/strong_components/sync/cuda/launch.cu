// Launches of the kernel that finds strong components.
#include "algorithm/strong_components/sync/cuda/launch.hpp"

#include <cuda_runtime.h>

#include "algorithm/cuda/launch.cuh"
#include "algorithm/strong_components/sync/cuda/search.cuh"
#include "gossamer/machine/kernels.cuh"

namespace gossamer::strong_components_detail::cuda {

namespace {

template <class Id>
__global__ void __launch_bounds__(gpu_sizes::threads, 1)
    search_kernel(const __grid_constant__ search_view<Id> of) {
  __shared__ block_memory<gpu_sizes, Id> mine;
  search<gpu_sizes, Id>(of, mine).run();
}

}  // namespace

/// Some 3 us each: 12 ms, in which a core searches a hundred thousand vertices depth first.
unsigned most_levels() {
  return 4096;
}

template <class Id>
void launch_search(void* stream, int blocks, const search_view<Id>& of) {
  search_kernel<Id>
      <<<static_cast<unsigned>(blocks), gpu_sizes::threads, 0, static_cast<cudaStream_t>(stream)>>>(
          of);
  algorithm_detail::cuda::launched();
}

template void launch_search(void*, int, const search_view<vertex32>&);
template void launch_search(void*, int, const search_view<vertex64>&);

}  // namespace gossamer::strong_components_detail::cuda
