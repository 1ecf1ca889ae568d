// Launches of the kernel that peels.
#include "algorithm/core_numbers/sync/cuda/launch.hpp"

#include <cuda_runtime.h>

#include "algorithm/core_numbers/sync/cuda/peel.cuh"
#include "algorithm/cuda/launch.cuh"
#include "gossamer/machine/kernels.cuh"

namespace gossamer::core_numbers_detail::cuda {

namespace {

template <class Id>
__global__ void __launch_bounds__(gpu_sizes::threads, 1)
    peel_kernel(const __grid_constant__ peel_view<Id> of) {
  extern __shared__ unsigned long long dynamic_memory[];
  peel<gpu_sizes, Id>(of, *reinterpret_cast<block_memory<gpu_sizes, Id>*>(dynamic_memory)).run();
}

}  // namespace

template <class Id>
int prepare_peeling(int units) {
  constexpr int bytes = sizeof(block_memory<gpu_sizes, Id>);
  GOSSAMER_CHECK_CUDA(
      cudaFuncSetAttribute(peel_kernel<Id>, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
  return units;
}

template <class Id>
void launch_peeling(void* stream, int blocks, const peel_view<Id>& of) {
  peel_kernel<Id><<<static_cast<unsigned>(blocks), gpu_sizes::threads,
                    sizeof(block_memory<gpu_sizes, Id>), static_cast<cudaStream_t>(stream)>>>(of);
  algorithm_detail::cuda::launched();
}

template int prepare_peeling<vertex32>(int);
template int prepare_peeling<vertex64>(int);
template void launch_peeling(void*, int, const peel_view<vertex32>&);
template void launch_peeling(void*, int, const peel_view<vertex64>&);

}  // namespace gossamer::core_numbers_detail::cuda
