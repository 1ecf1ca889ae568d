// After a search: distances looked at.
#include <algorithm>

#include "algorithm/cuda/launch.cuh"
#include "algorithm/sssp/async/cuda/keys.cuh"
#include "algorithm/sssp/cuda/look.hpp"
#include "algorithm/sssp/instances.hpp"

namespace gossamer::sssp_detail::cuda {

namespace {

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

template <class Distance>
void look_at_distances(void* stream, const key_of<Distance>* keys, std::int64_t n,
                       unsigned long long* sums) {
  const unsigned blocks = std::min(algorithm_detail::cuda::blocks_for(n, 256), 1024U);
  look<Distance><<<blocks, 256, 0, static_cast<cudaStream_t>(stream)>>>(keys, n, sums);
  algorithm_detail::cuda::launched();
}

#define GOSSAMER_INSTANTIATE(Distance)                                                    \
  template void look_at_distances<Distance>(void*, const key_of<Distance>*, std::int64_t, \
                                            unsigned long long*);
GOSSAMER_SSSP_DISTANCES(GOSSAMER_INSTANTIATE)
#undef GOSSAMER_INSTANTIATE

}  // namespace gossamer::sssp_detail::cuda
