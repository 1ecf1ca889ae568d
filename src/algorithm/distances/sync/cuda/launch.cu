// Launches of the kernels of distances.
#include "algorithm/distances/sync/cuda/launch.hpp"

#include <cuda_runtime.h>

#include "algorithm/cuda/launch.cuh"
#include "algorithm/distances/sync/cuda/depth_steps.cuh"
#include "algorithm/distances/sync/cuda/search.cuh"
#include "gossamer/machine/kernels.cuh"

namespace gossamer::distances_detail::cuda {

namespace {

constexpr int step_threads = 256;
constexpr int step_blocks = 4;  ///< of a multiprocessor

template <class Id>
__global__ void __launch_bounds__(gpu_sizes::threads, 1)
    search_kernel(const __grid_constant__ search_view<Id> of) {
  extern __shared__ unsigned long long dynamic_memory[];
  search<gpu_sizes, Id>(of, *reinterpret_cast<block_memory<gpu_sizes>*>(dynamic_memory)).run();
}

__device__ std::int64_t step_thread() {
  return std::int64_t{blockIdx.x} * step_threads + threadIdx.x;
}
__device__ std::int64_t all_step_threads() {
  return std::int64_t{gridDim.x} * step_threads;
}

template <class Id>
__global__ void __launch_bounds__(step_threads)
    matrix_kernel(const __grid_constant__ depth_planes from,
                  const __grid_constant__ depth_matrix_view<Id> to) {
  matrix_rows<Id>(from, to).write(step_thread(), all_step_threads());
}

template <class Id>
__global__ void __launch_bounds__(step_threads)
    bounds_kernel(bounds_step step, const __grid_constant__ bounds_view<Id> of,
                  const __grid_constant__ depth_planes from) {
  bounds_steps<Id>(of, from, step_thread(), all_step_threads()).run(step);
}

unsigned blocks_of(int units) {
  return static_cast<unsigned>(units) * step_blocks;
}

}  // namespace

launch_limits most_at_once() {
  return {20'000'000, 1 << 16};
}

template <class Id>
int prepare_search(int units) {
  constexpr int bytes = sizeof(block_memory<gpu_sizes>);
  GOSSAMER_CHECK_CUDA(
      cudaFuncSetAttribute(search_kernel<Id>, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
  return units;
}

template <class Id>
void launch_search(void* stream, int blocks, const search_view<Id>& of) {
  search_kernel<Id><<<static_cast<unsigned>(blocks), gpu_sizes::threads,
                      sizeof(block_memory<gpu_sizes>), static_cast<cudaStream_t>(stream)>>>(of);
  algorithm_detail::cuda::launched();
}

template <class Id>
void launch_matrix(void* stream, int units, const depth_planes& from,
                   const depth_matrix_view<Id>& to) {
  matrix_kernel<Id>
      <<<blocks_of(units), step_threads, 0, static_cast<cudaStream_t>(stream)>>>(from, to);
  algorithm_detail::cuda::launched();
}

int bounds_warps(int units) {
  return static_cast<int>(blocks_of(units)) * (step_threads / 32);
}

template <class Id>
void launch_bounds(void* stream, int units, bounds_step step, const bounds_view<Id>& of,
                   const depth_planes& from) {
  bounds_kernel<Id>
      <<<blocks_of(units), step_threads, 0, static_cast<cudaStream_t>(stream)>>>(step, of, from);
  algorithm_detail::cuda::launched();
}

template int prepare_search<vertex32>(int);
template int prepare_search<vertex64>(int);
template void launch_search(void*, int, const search_view<vertex32>&);
template void launch_search(void*, int, const search_view<vertex64>&);
template void launch_matrix(void*, int, const depth_planes&, const depth_matrix_view<vertex32>&);
template void launch_matrix(void*, int, const depth_planes&, const depth_matrix_view<vertex64>&);
template void launch_bounds(void*, int, bounds_step, const bounds_view<vertex32>&,
                            const depth_planes&);
template void launch_bounds(void*, int, bounds_step, const bounds_view<vertex64>&,
                            const depth_planes&);

}  // namespace gossamer::distances_detail::cuda
