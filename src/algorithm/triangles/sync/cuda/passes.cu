// Launches of the kernels that count triangles, and of those that put counts into order.
#include "algorithm/triangles/sync/cuda/passes.hpp"

#include <cuda_runtime.h>

#include <algorithm>

#include "algorithm/cuda/launch.cuh"
#include "algorithm/triangles/sync/cuda/long_rows.cuh"
#include "algorithm/triangles/sync/cuda/short_rows.cuh"
#include "gossamer/machine/kernels.cuh"

namespace gossamer::triangles_detail::cuda {

namespace {

constexpr int pass_threads = 256;
constexpr unsigned short_warps = gpu_sizes::short_threads / 32;

template <class Id, class Value>
__global__ void __launch_bounds__(gpu_sizes::long_threads, valued<Value> ? 2 : 3)
    long_rows_kernel(const __grid_constant__ row_share<Id, Value> of) {
  extern __shared__ unsigned long long dynamic_memory[];
  auto& mine = *reinterpret_cast<block_memory<gpu_sizes, Value>*>(dynamic_memory);
  long_rows<gpu_sizes, Id, Value>(of, mine).count();
}

template <class Id, class Value>
__global__ void __launch_bounds__(gpu_sizes::short_threads)
    short_rows_kernel(const __grid_constant__ row_share<Id, Value> of) {
  __shared__ warp_memory<gpu_sizes, Id, Value> warps[short_warps];
  short_rows<gpu_sizes, Id, Value>(of, warps[threadIdx.x / 32]).count();
}

template <class Id, class Worth>
__global__ void arrange_kernel(std::int64_t n, const Id* name, const Worth* counts, Worth* to) {
  const std::int64_t step = std::int64_t{gridDim.x} * pass_threads;
  for (std::int64_t v = std::int64_t{blockIdx.x} * pass_threads + threadIdx.x; v < n; v += step)
    to[v] = counts[name[v]];
}

template <class Worth>
__global__ void add_kernel(std::int64_t n, const Worth* more, Worth* to) {
  const std::int64_t step = std::int64_t{gridDim.x} * pass_threads;
  for (std::int64_t i = std::int64_t{blockIdx.x} * pass_threads + threadIdx.x; i < n; i += step)
    to[i] += more[i];
}

cudaStream_t stream_of(const launch_site& on) {
  return static_cast<cudaStream_t>(on.stream);
}
/// As many as the rank's part of the GPU holds at once, where there is enough to do.
unsigned blocks_of(const launch_site& on, int resident, std::int64_t n, std::int64_t each) {
  const auto most = static_cast<unsigned>(std::max(1, on.units * resident));
  return std::min(algorithm_detail::cuda::blocks_for(n, each), most);
}

}  // namespace

template <class Id, class Value>
resident_blocks prepare_counting() {
  constexpr int bytes = sizeof(block_memory<gpu_sizes, Value>);
  resident_blocks found;
  GOSSAMER_CHECK_CUDA(cudaFuncSetAttribute(long_rows_kernel<Id, Value>,
                                           cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
  GOSSAMER_CHECK_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
      &found.long_rows, long_rows_kernel<Id, Value>, gpu_sizes::long_threads, bytes));
  GOSSAMER_CHECK_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
      &found.short_rows, short_rows_kernel<Id, Value>, gpu_sizes::short_threads, 0));
  return found;
}

/// With values each triangle takes several atomics on few numbers.
double most_looks(bool with_values) {
  return with_values ? 0x1p34 : 0x1p37;
}

template <class Id, class Value>
void count_long_rows(const launch_site& on, const row_share<Id, Value>& of) {
  if (of.own() <= 0) return;
  const unsigned blocks = blocks_of(on, on.resident.long_rows, of.own(), 1);
  long_rows_kernel<<<blocks, gpu_sizes::long_threads, sizeof(block_memory<gpu_sizes, Value>),
                     stream_of(on)>>>(of);
  algorithm_detail::cuda::launched();
}

template <class Id, class Value>
void count_short_rows(const launch_site& on, const row_share<Id, Value>& of) {
  if (of.own() <= 0) return;
  const unsigned blocks =
      blocks_of(on, on.resident.short_rows, of.own(), short_warps * gpu_sizes::rows_at_once);
  short_rows_kernel<<<blocks, gpu_sizes::short_threads, 0, stream_of(on)>>>(of);
  algorithm_detail::cuda::launched();
}

template <class Id, class Worth>
void arrange(const launch_site& on, std::int64_t vertices, const Id* name, const Worth* counts,
             Worth* to) {
  if (vertices == 0) return;
  arrange_kernel<<<blocks_of(on, 8, vertices, pass_threads), pass_threads, 0, stream_of(on)>>>(
      vertices, name, counts, to);
  algorithm_detail::cuda::launched();
}

template <class Worth>
void add_counts(const launch_site& on, std::int64_t n, const Worth* more, Worth* to) {
  if (n == 0) return;
  add_kernel<<<blocks_of(on, 8, n, pass_threads), pass_threads, 0, stream_of(on)>>>(n, more, to);
  algorithm_detail::cuda::launched();
}

#define GOSSAMER_COUNTING(Id, Value)                                              \
  template resident_blocks prepare_counting<Id, Value>();                         \
  template void count_long_rows(const launch_site&, const row_share<Id, Value>&); \
  template void count_short_rows(const launch_site&, const row_share<Id, Value>&);
#define GOSSAMER_INSTANTIATE(Id)                                                                \
  GOSSAMER_COUNTING(Id, std::monostate)                                                         \
  GOSSAMER_COUNTING(Id, std::uint8_t)                                                           \
  GOSSAMER_COUNTING(Id, double)                                                                 \
  template void arrange(const launch_site&, std::int64_t, const Id*, const unsigned long long*, \
                        unsigned long long*);                                                   \
  template void arrange(const launch_site&, std::int64_t, const Id*, const double*, double*);

GOSSAMER_INSTANTIATE(vertex32)
GOSSAMER_INSTANTIATE(vertex64)
template void add_counts(const launch_site&, std::int64_t, const unsigned long long*,
                         unsigned long long*);
template void add_counts(const launch_site&, std::int64_t, const double*, double*);
#undef GOSSAMER_INSTANTIATE
#undef GOSSAMER_COUNTING

}  // namespace gossamer::triangles_detail::cuda
