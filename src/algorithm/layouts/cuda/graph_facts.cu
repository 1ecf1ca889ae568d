// One pass over offsets and one over weights, by blocks; sums in a fixed order.
#include "algorithm/layouts/cuda/graph_facts.hpp"

#include <cuda_runtime.h>

#include <algorithm>
#include <bit>
#include <type_traits>

#include "algorithm/cuda/block_sums.cuh"
#include "algorithm/cuda/launch.cuh"
#include "gossamer/machine/current_device.hpp"
#include "gossamer/machine/memory.hpp"

namespace gossamer::algorithm_detail {

namespace {

using word = unsigned long long;

struct degree_sums {
  word longest, at_hubs;
  word first;  ///< vertex with the longest row
};

__device__ std::int64_t of_thread() {
  return std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
}
__device__ std::int64_t of_grid() {
  return std::int64_t{gridDim.x} * blockDim.x;
}

__global__ void degree_kernel(const edge_offset* offsets, std::int64_t n, edge_offset hub,
                              degree_sums* sums) {
  word longest = 0, at_hubs = 0;
  for (std::int64_t v = of_thread(); v < n; v += of_grid()) {
    const auto degree = static_cast<word>(offsets[v + 1] - offsets[v]);
    longest = degree > longest ? degree : longest;
    if (degree >= static_cast<word>(hub)) at_hubs += degree;
  }
  for (int d = 16; d > 0; d /= 2) {
    const word other = __shfl_xor_sync(0xffffffffu, longest, d);
    longest = other > longest ? other : longest;
    at_hubs += __shfl_xor_sync(0xffffffffu, at_hubs, d);
  }
  if (threadIdx.x % 32 != 0) return;
  atomicMax(&sums->longest, longest);
  atomicAdd(&sums->at_hubs, at_hubs);
}

__global__ void first_kernel(const edge_offset* offsets, std::int64_t n, degree_sums* sums) {
  const word longest = sums->longest;
  for (std::int64_t v = of_thread(); v < n; v += of_grid())
    if (static_cast<word>(offsets[v + 1] - offsets[v]) == longest)
      atomicMin(&sums->first, static_cast<word>(v));
}

constexpr std::int64_t weights_a_block = 1 << 16;

struct weight_sums {
  word first_bad;
  word largest;  ///< bits of a double, none below zero
  double sum;
};

template <class Weight>
__device__ bool is_bad(Weight w) {
  if constexpr (std::is_floating_point_v<Weight>)
    return !(w >= 0) || isinf(w);
  else
    return w < 0;
}

template <class Weight>
__global__ void __launch_bounds__(cuda::block_size)
    weight_kernel(const Weight* weights, std::int64_t m, weight_sums* sums, double* parts) {
  const std::int64_t begin = std::int64_t{blockIdx.x} * weights_a_block;
  const std::int64_t end = begin + weights_a_block < m ? begin + weights_a_block : m;
  double largest = 0, sum = 0;
  for (std::int64_t k = begin + threadIdx.x; k < end; k += cuda::block_size) {
    const Weight w = weights[k];
    if (is_bad(w)) {
      atomicMin(&sums->first_bad, static_cast<word>(k));
      continue;
    }
    largest = fmax(largest, static_cast<double>(w));
    sum += static_cast<double>(w);
  }
  sum = cuda::block_sum(sum);
  if (threadIdx.x == 0) parts[blockIdx.x] = sum;
  for (int d = 16; d > 0; d /= 2) largest = fmax(largest, __shfl_xor_sync(0xffffffffu, largest, d));
  if (threadIdx.x % 32 == 0)
    atomicMax(&sums->largest, static_cast<word>(__double_as_longlong(largest)));
}

__global__ void __launch_bounds__(cuda::block_size)
    add_kernel(const double* parts, std::int64_t n, weight_sums* sums) {
  double sum = 0;
  for (std::int64_t i = threadIdx.x; i < n; i += cuda::block_size) sum += parts[i];
  sum = cuda::block_sum(sum);
  if (threadIdx.x == 0) sums->sum = sum;
}

/// Memory of GPU `ordinal`, which holds `value` when this returns.
template <class T>
buffer<T> there_with(int ordinal, const T& value) {
  buffer<T> there(memory_kind::device, ordinal, 1);
  copy_bytes(there.data(), &value, sizeof value);
  return there;
}
template <class T>
T read_back(const buffer<T>& there, const stream& queue, int ordinal) {
  event done(ordinal);
  done.record(queue);
  done.block(stream());  // this thread waits, with a deadline
  T value;
  copy_bytes(&value, there.data(), sizeof value);
  return value;
}

device gpu_with(int ordinal) {
  device d;
  d.kind = device_kind::cuda;
  d.ordinal = ordinal;
  return d;
}

}  // namespace

degree_facts degrees_on_gpu(const graph& g) {
  constexpr std::int64_t fewest = 4096;  // as count_degrees()
  const std::int64_t n = g.vertices();
  if (n == 0) return {};
  const current_device here(g.gpu);
  const stream queue(gpu_with(g.gpu));
  const auto sums = there_with(g.gpu, degree_sums{0, 0, ~word{0}});
  const unsigned blocks = std::min(cuda::blocks_for(n, 256), 2048U);
  auto* const on = static_cast<cudaStream_t>(queue.native());
  degree_kernel<<<blocks, 256, 0, on>>>(g.offsets.data(), n, 4 * (g.arcs() / n) + 1, sums.data());
  first_kernel<<<blocks, 256, 0, on>>>(g.offsets.data(), n, sums.data());
  cuda::launched();
  const degree_sums found = read_back(sums, queue, g.gpu);
  degree_facts facts;
  facts.longest = static_cast<std::int64_t>(found.longest);
  facts.most_connected = static_cast<std::int64_t>(found.first);
  facts.skewed = n >= fewest && static_cast<std::int64_t>(found.at_hubs) > g.arcs() / 2;
  return facts;
}

weights_seen weights_on_gpu(const graph& g) {
  const std::int64_t m = g.arcs();
  if (m == 0 || !g.weighted()) return {};
  const current_device here(g.gpu);
  const stream queue(gpu_with(g.gpu));
  const auto sums = there_with(g.gpu, weight_sums{~word{0}, 0, 0});
  const unsigned blocks = cuda::blocks_for(m, weights_a_block);
  const buffer<double> parts(memory_kind::device, g.gpu, blocks);
  auto* const on = static_cast<cudaStream_t>(queue.native());
  std::visit(
      [&](const auto& weights) {
        if constexpr (!std::is_same_v<std::decay_t<decltype(weights)>, std::monostate>)
          weight_kernel<<<blocks, cuda::block_size, 0, on>>>(weights.data(), m, sums.data(),
                                                             parts.data());
      },
      g.weights);
  add_kernel<<<1, cuda::block_size, 0, on>>>(parts.data(), blocks, sums.data());
  cuda::launched();
  const weight_sums found = read_back(sums, queue, g.gpu);
  weights_seen seen;
  seen.facts.largest = std::bit_cast<double>(found.largest);
  seen.facts.mean = found.sum / static_cast<double>(m);
  if (found.first_bad != ~word{0}) seen.first_bad = static_cast<std::int64_t>(found.first_bad);
  return seen;
}

}  // namespace gossamer::algorithm_detail
