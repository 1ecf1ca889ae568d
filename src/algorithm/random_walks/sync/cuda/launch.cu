// Launches of the kernel that walks.
#include "algorithm/random_walks/sync/cuda/launch.hpp"

#include <cuda_runtime.h>

#include "algorithm/cuda/launch.cuh"
#include "algorithm/random_walks/sync/cuda/walk.cuh"
#include "gossamer/machine/kernels.cuh"

namespace gossamer::random_walks_detail::cuda {

namespace {

constexpr int walk_threads = 256;

template <class Id, bool Weighted, bool Second>
__global__ void __launch_bounds__(walk_threads)
    walk_kernel(const __grid_constant__ device_rows<Id> rows,
                const __grid_constant__ walk_slice<Id> of) {
  walker<Id, Weighted, Second>(rows, of).run(std::int64_t{blockIdx.x} * walk_threads + threadIdx.x,
                                             std::int64_t{gridDim.x} * walk_threads);
}

}  // namespace

/// Walks of 80 steps are more than a GPU has threads.
launch_sizes most_at_once() {
  return {std::int64_t{1} << 28, 1024};
}

template <class Id>
void launch_walks(void* stream, int units, bool weighted, bool second, const device_rows<Id>& rows,
                  const walk_slice<Id>& of) {
  const unsigned blocks = std::min(algorithm_detail::cuda::blocks_for(of.count, walk_threads),
                                   static_cast<unsigned>(units) * (2048 / walk_threads));
  auto* const kernel =
      weighted ? (second ? walk_kernel<Id, true, true> : walk_kernel<Id, true, false>)
               : (second ? walk_kernel<Id, false, true> : walk_kernel<Id, false, false>);
  kernel<<<blocks, walk_threads, 0, static_cast<cudaStream_t>(stream)>>>(rows, of);
  algorithm_detail::cuda::launched();
}

template void launch_walks(void*, int, bool, bool, const device_rows<vertex32>&,
                           const walk_slice<vertex32>&);
template void launch_walks(void*, int, bool, bool, const device_rows<vertex64>&,
                           const walk_slice<vertex64>&);

}  // namespace gossamer::random_walks_detail::cuda
