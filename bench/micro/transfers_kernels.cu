// Kernels of bench_transfers: accesses to a peer's or the host's memory.
#include "gossamer/base/check_cuda.hpp"
#include "transfers.hpp"

namespace gossamer::bench {

namespace {

constexpr int blocks = 528, threads = 512;

template <accesses How, bool Random>
__global__ void __launch_bounds__(threads)
    access(std::uint32_t* to, const std::uint32_t* from, int bits) {
  const std::uint32_t n = 1u << bits, step = gridDim.x * blockDim.x;
  for (std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) {
    const std::uint32_t other = Random ? scattered(i, bits) : i;
    if (How == accesses::stores)
      to[other] = from[i];
    else
      to[i] = from[other];
  }
}

__global__ void __launch_bounds__(threads) move(uint4* to, const uint4* from, std::size_t n) {
  const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n;
       i += step)
    to[i] = from[i];
}

}  // namespace

void access_words(accesses how, bool random, std::uint32_t* to, const std::uint32_t* from, int bits,
                  cudaStream_t on) {
  const bool stores = how == accesses::stores;
  auto* kernel = stores
                     ? (random ? access<accesses::stores, true> : access<accesses::stores, false>)
                     : (random ? access<accesses::loads, true> : access<accesses::loads, false>);
  kernel<<<blocks, threads, 0, on>>>(to, from, bits);
  GOSSAMER_CHECK_CUDA(cudaGetLastError());
}

void move_by_kernel(void* to, const void* from, std::size_t bytes, cudaStream_t on) {
  move<<<blocks, threads, 0, on>>>(static_cast<uint4*>(to), static_cast<const uint4*>(from),
                                   bytes / sizeof(uint4));
  GOSSAMER_CHECK_CUDA(cudaGetLastError());
}

}  // namespace gossamer::bench
