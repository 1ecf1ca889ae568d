// Sizes of components by atomics; one label, which most vertices of most graphs have, is counted in
// registers, since all threads would meet at its counter.
#include "algorithm/components/sync/cuda/count.hpp"

#include <cuda_runtime.h>

#include <algorithm>
#include <type_traits>

#include "algorithm/cuda/launch.cuh"

namespace gossamer::components_detail::cuda {

namespace {

constexpr int count_threads = 256;
constexpr unsigned most_count_blocks = 2048;

template <class Id>
using size_word = std::conditional_t<sizeof(Id) == 8, unsigned long long, unsigned int>;

__device__ unsigned long long warp_sum(unsigned long long value) {
  for (int d = 16; d > 0; d /= 2) value += __shfl_xor_sync(0xffffffffu, value, d);
  return value;
}
__device__ unsigned long long warp_max(unsigned long long value) {
  for (int d = 16; d > 0; d /= 2) {
    const unsigned long long other = __shfl_xor_sync(0xffffffffu, value, d);
    value = other > value ? other : value;
  }
  return value;
}

template <class Id>
__global__ void size_kernel(const Id* labels, std::int64_t n, Id* sizes) {
  auto* at = reinterpret_cast<size_word<Id>*>(sizes);
  const Id apart = labels[n / 2];
  unsigned long long with_it = 0;
  const std::int64_t step = std::int64_t{gridDim.x} * blockDim.x;
  for (std::int64_t v = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; v < n; v += step) {
    if (labels[v] == apart)
      ++with_it;
    else
      atomicAdd(at + labels[v], size_word<Id>{1});
  }
  with_it = warp_sum(with_it);
  if (threadIdx.x % 32 == 0 && with_it != 0)
    atomicAdd(at + apart, static_cast<size_word<Id>>(with_it));
}

template <class Id>
__global__ void largest_kernel(const Id* sizes, std::int64_t n, label_counts* counts) {
  unsigned long long count = 0, largest = 0;
  const std::int64_t step = std::int64_t{gridDim.x} * blockDim.x;
  for (std::int64_t v = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; v < n; v += step) {
    const auto size = static_cast<unsigned long long>(static_cast<size_word<Id>>(sizes[v]));
    count += size != 0;
    largest = size > largest ? size : largest;
  }
  count = warp_sum(count);
  largest = warp_max(largest);
  if (threadIdx.x % 32 != 0 || count == 0) return;
  atomicAdd(&counts->count, count);
  atomicMax(&counts->largest, largest);
}

template <class Id>
__global__ void label_kernel(const Id* sizes, std::int64_t n, label_counts* counts) {
  const unsigned long long largest = counts->largest;
  const std::int64_t step = std::int64_t{gridDim.x} * blockDim.x;
  for (std::int64_t v = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; v < n; v += step)
    if (static_cast<unsigned long long>(static_cast<size_word<Id>>(sizes[v])) == largest)
      atomicMax(&counts->label, ~static_cast<unsigned long long>(v));
}

}  // namespace

template <class Id>
void count_labels(const launch_site& on, const Id* labels, std::int64_t vertices, Id* sizes,
                  label_counts* counts) {
  if (vertices == 0) return;
  auto* const stream = static_cast<cudaStream_t>(on.stream);
  const unsigned blocks =
      std::min(algorithm_detail::cuda::blocks_for(vertices, count_threads), most_count_blocks);
  GOSSAMER_CHECK_CUDA(
      cudaMemsetAsync(sizes, 0, static_cast<std::size_t>(vertices) * sizeof(Id), stream));
  size_kernel<<<blocks, count_threads, 0, stream>>>(labels, vertices, sizes);
  largest_kernel<<<blocks, count_threads, 0, stream>>>(sizes, vertices, counts);
  label_kernel<<<blocks, count_threads, 0, stream>>>(sizes, vertices, counts);
  algorithm_detail::cuda::launched();
}

#define GOSSAMER_INSTANTIATE(Id) \
  template void count_labels(const launch_site&, const Id*, std::int64_t, Id*, label_counts*);

GOSSAMER_INSTANTIATE(vertex32)
GOSSAMER_INSTANTIATE(vertex64)
#undef GOSSAMER_INSTANTIATE

}  // namespace gossamer::components_detail::cuda
