// Launches of the kernels of betweenness.
#include "algorithm/betweenness/sync/cuda/launch.hpp"

#include <cuda_runtime.h>

#include "algorithm/betweenness/sync/cuda/search.cuh"
#include "algorithm/cuda/launch.cuh"
#include "gossamer/machine/kernels.cuh"

namespace gossamer::betweenness_detail::cuda {

namespace {

constexpr int collect_threads = 256;

template <class Id>
__global__ void __launch_bounds__(gpu_sizes::threads, 1)
    search_kernel(const __grid_constant__ search_view<Id> of) {
  __shared__ block_memory<gpu_sizes, Id> mine;
  search<gpu_sizes, Id>(of, mine).run();
}

__global__ void __launch_bounds__(collect_threads)
    collect_kernel(const __grid_constant__ collect_view of) {
  collect(of, std::int64_t{blockIdx.x} * collect_threads + threadIdx.x,
          std::int64_t{gridDim.x} * collect_threads);
}

template <class Id>
__global__ void __launch_bounds__(collect_threads)
    join_kernel(const __grid_constant__ join_view<Id> of) {
  join_directions(of, (std::int64_t{blockIdx.x} * collect_threads + threadIdx.x) / 32,
                  std::int64_t{gridDim.x} * (collect_threads / 32), threadIdx.x % 32, 32);
}

/// For so many threads, each of which may come round again.
unsigned blocks_of(std::int64_t threads) {
  constexpr std::int64_t most = 1 << 16;
  return algorithm_detail::cuda::blocks_for(std::min(threads, most * collect_threads),
                                            collect_threads);
}

}  // namespace

template <class Id>
void launch_search(void* stream, const search_view<Id>& of) {
  search_kernel<Id>
      <<<of.groups * of.blocks, gpu_sizes::threads, 0, static_cast<cudaStream_t>(stream)>>>(of);
  algorithm_detail::cuda::launched();
}

void launch_collect(void* stream, const collect_view& of) {
  collect_kernel<<<blocks_of(of.count), collect_threads, 0, static_cast<cudaStream_t>(stream)>>>(
      of);
  algorithm_detail::cuda::launched();
}

template <class Id>
void launch_join(void* stream, const join_view<Id>& of) {
  join_kernel<Id>
      <<<blocks_of(of.vertices * 32), collect_threads, 0, static_cast<cudaStream_t>(stream)>>>(of);
  algorithm_detail::cuda::launched();
}

template void launch_search(void*, const search_view<vertex32>&);
template void launch_search(void*, const search_view<vertex64>&);
template void launch_join(void*, const join_view<vertex32>&);
template void launch_join(void*, const join_view<vertex64>&);

}  // namespace gossamer::betweenness_detail::cuda
