// for_each on a GPU, the twin of executor.hpp. For .cu files only.
//
// Algorithms are templates on the executor with named functors (never extended lambdas), and are
// instantiated once in a .cpp with cpu_team and once in a .cu with cuda_stream.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "gossamer/base/check_cuda.hpp"
#include "gossamer/machine/kernels.cuh"
#include "gossamer/machine/stream.hpp"

namespace gossamer {

/// Where a loop is queued: a cudaStream_t and its device, neither owned.
struct cuda_stream {
  void* native = nullptr;
  int ordinal = -1;
  cuda_stream() = default;
  cuda_stream(void* n, int o) : native(n), ordinal(o) {}
  explicit cuda_stream(const stream& s) : native(s.native()), ordinal(s.ordinal()) {}
};

namespace executor_detail {

/// Grid-stride loop: any n with a grid of bounded size (64-bit indices throughout).
template <class F>
__global__ void for_each_kernel(std::int64_t n, F f) {
  const std::int64_t step = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n;
       i += step)
    f(i);
}

}  // namespace executor_detail

/// Queues f(i) for i in [0, n), any order, in parallel, and returns at once; `f` is copied, and
/// what it points to must be addressable by the GPU. The stream's device must be the calling
/// thread's current one (it is in a rank's thread). Throws foreign_error when the launch fails.
template <class F>
void for_each(const cuda_stream& on, std::int64_t n, F f) {
  if (n <= 0) return;  // a grid of no blocks is an error
  // 256 threads fill a multiprocessor whatever the register use; 2^16 blocks are many waves on any
  // GPU, and past that a longer stride costs less than more blocks.
  constexpr std::int64_t block = 256;
  constexpr std::int64_t most_blocks = 1 << 16;
  const std::int64_t wanted = (n + block - 1) / block;
  const auto blocks = static_cast<unsigned>(wanted < most_blocks ? wanted : most_blocks);
  executor_detail::for_each_kernel<<<blocks, static_cast<unsigned>(block), 0,
                                     static_cast<cudaStream_t>(on.native)>>>(n, f);
  GOSSAMER_CHECK_CUDA(cudaGetLastError());
}

}  // namespace gossamer
