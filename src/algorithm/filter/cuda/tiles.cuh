// Selection by tiles: each block takes places for what its tile keeps by one atomic addition, and
// writes it there. Tiles lie in any order, and what a tile keeps in the input's. Nothing waits for
// another tile, so it costs no more than reading and writing once. (CUB's selection, which keeps
// the order of tiles, takes 1.5 times as long on an H200.)
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <cstring>

#include "algorithm/filter/gpu.hpp"
#include "gossamer/dataflow/worklist/cuda/warp.cuh"

namespace gossamer::filter_detail::cuda {

inline constexpr int tile_threads = 256;
inline constexpr int tile_loads = 4;  ///< of 16 bytes, of a thread

template <class T>
struct loaded {
  static constexpr int each = 16 / sizeof(T);
  static_assert(tile_elements<T> == tile_threads * tile_loads * each);
  T values[tile_loads][each];
};

/// Elements of a tile that lies in the input whole.
template <class T>
__device__ loaded<T> load_whole(const T* tile) {
  loaded<T> x;
#pragma unroll
  for (int k = 0; k < tile_loads; ++k) {
    const int4 words = __ldcs(reinterpret_cast<const int4*>(tile) + k * tile_threads + threadIdx.x);
    memcpy(x.values[k], &words, sizeof words);
  }
  return x;
}

/// Where this thread's kept elements begin among the block's: in the order of loads, then threads.
template <int Parts>
__device__ void places_of(const unsigned (&counts)[Parts], unsigned (&at)[Parts], unsigned& total) {
  constexpr int warps = tile_threads / 32;
  __shared__ unsigned sums[Parts][warps];
  const int warp = static_cast<int>(threadIdx.x / 32);
#pragma unroll
  for (int k = 0; k < Parts; ++k) {
    const unsigned up_to = dataflow::cuda::inclusive_sum(counts[k]);
    at[k] = up_to - counts[k];
    if (dataflow::cuda::lane_id() == 31) sums[k][warp] = up_to;
  }
  __syncthreads();
  total = 0;
#pragma unroll
  for (int k = 0; k < Parts; ++k)
    for (int w = 0; w < warps; ++w) {
      if (w == warp) at[k] += total;
      total += sums[k][w];
    }
}

template <class T, class Keep>
__global__ void __launch_bounds__(tile_threads)
    tiles_kernel(const T* in, std::uint64_t n, T* out, std::uint64_t* places,
                 unsigned long long* end, Keep keep) {
  constexpr int each = loaded<T>::each;
  __shared__ T kept[tile_elements<T>];
  __shared__ unsigned long long begin;
  const std::uint64_t first = std::uint64_t{blockIdx.x} * tile_elements<T>;
  loaded<T> x;
  bool whole = first + tile_elements<T> <= n;
  if (whole) x = load_whole(in + first);
  unsigned counts[tile_loads], at[tile_loads], total;
#pragma unroll
  for (int k = 0; k < tile_loads; ++k) {
    counts[k] = 0;
    for (int i = 0; i < each; ++i) {
      const std::uint64_t where = first + (k * tile_threads + threadIdx.x) * each + i;
      if (!whole && where < n) x.values[k][i] = in[where];
      counts[k] += (whole || where < n) && keep(x.values[k][i]) ? 1 : 0;
    }
  }
  places_of(counts, at, total);
#pragma unroll
  for (int k = 0; k < tile_loads; ++k)
    for (int i = 0; i < each; ++i) {
      const std::uint64_t where = first + (k * tile_threads + threadIdx.x) * each + i;
      if ((whole || where < n) && keep(x.values[k][i])) kept[at[k]++] = x.values[k][i];
    }
  if (threadIdx.x == 0) {
    begin = atomicAdd(end, static_cast<unsigned long long>(total));
    places[blockIdx.x] = begin << tile_place_bits | total;
  }
  __syncthreads();
  for (unsigned i = threadIdx.x; i < total; i += tile_threads) out[begin + i] = kept[i];
}

}  // namespace gossamer::filter_detail::cuda
