// Kernels before and after a search: arcs packed where their weights lie, distances looked at.
#include <algorithm>

#include "algorithm/cuda/launch.cuh"
#include "algorithm/sssp/cuda/keys.cuh"
#include "algorithm/sssp/cuda/pack.hpp"

namespace gossamer::sssp_detail::cuda {

namespace {

constexpr int pack_threads = 1024;

/// Arcs [first, last). Every thread of a block has read what it packs before any writes.
template <class Id, class Distance>
__global__ void __launch_bounds__(pack_threads)
    pack(const Id* columns, const Distance* weights, std::int64_t first, std::int64_t last,
         packed_arc<Distance>* arcs) {
  const std::int64_t k = first + std::int64_t{blockIdx.x} * pack_threads + threadIdx.x;
  packed_arc<Distance> mine{};
  if (k < last) mine = {static_cast<std::int32_t>(columns[k]), weights[k]};
  __syncthreads();
  if (k < last) arcs[k] = mine;
}

template <class Distance>
__global__ void look(const key_of<Distance>* values, std::int64_t n, unsigned long long* sums) {
  unsigned long long reached = 0, farthest = 0;
  const std::int64_t step = std::int64_t{gridDim.x} * blockDim.x;
  for (std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += step) {
    const key_of<Distance> key = values[i];
    if (key == keys<Distance>::unreached) continue;
    ++reached;
    farthest = key > farthest ? key : farthest;
  }
  for (int d = 16; d > 0; d /= 2) {
    reached += __shfl_xor_sync(0xffffffffu, reached, d);
    const unsigned long long other = __shfl_xor_sync(0xffffffffu, farthest, d);
    farthest = other > farthest ? other : farthest;
  }
  if (threadIdx.x % 32 != 0 || reached == 0) return;
  atomicAdd(sums, reached);
  atomicMax(sums + 1, farthest);
}

}  // namespace

// Packed arc k takes the room of weights 2k - n and 2k - n + 1, so that arcs are packed from the
// front, each launch as far as it overwrites only weights of earlier launches: half of what is
// left. The last few are one block's.
template <class Id, class Distance>
void pack_in_place(void* stream, const Id* columns, std::int64_t n, packed_arc<Distance>* arcs) {
  const Distance* weights = reinterpret_cast<const Distance*>(arcs) + n;
  for (std::int64_t first = 0; first < n;) {
    const std::int64_t left = n - first;
    const std::int64_t some = left <= pack_threads ? left : left / 2;
    pack<<<algorithm_detail::cuda::blocks_for(some, pack_threads), pack_threads, 0,
           static_cast<cudaStream_t>(stream)>>>(columns, weights, first, first + some, arcs);
    algorithm_detail::cuda::launched();
    first += some;
  }
}

template <class Distance>
void look_at_distances(void* stream, const key_of<Distance>* keys, std::int64_t n,
                       unsigned long long* sums) {
  const unsigned blocks = std::min(algorithm_detail::cuda::blocks_for(n, 256), 1024U);
  look<Distance><<<blocks, 256, 0, static_cast<cudaStream_t>(stream)>>>(keys, n, sums);
  algorithm_detail::cuda::launched();
}

#define GOSSAMER_INSTANTIATE(Distance)                                                      \
  template void pack_in_place(void*, const vertex32*, std::int64_t, packed_arc<Distance>*); \
  template void pack_in_place(void*, const vertex64*, std::int64_t, packed_arc<Distance>*); \
  template void look_at_distances<Distance>(void*, const key_of<Distance>*, std::int64_t,   \
                                            unsigned long long*);

GOSSAMER_INSTANTIATE(std::uint32_t)
GOSSAMER_INSTANTIATE(float)
GOSSAMER_INSTANTIATE(double)
#undef GOSSAMER_INSTANTIATE

}  // namespace gossamer::sssp_detail::cuda
