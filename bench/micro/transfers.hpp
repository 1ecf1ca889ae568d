// What bench_transfers launches: words moved by a kernel, in order or in a random one.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

namespace gossamer::bench {

/// What a word holds, by its place in the source.
inline std::uint32_t word_at(std::size_t i) {
  return static_cast<std::uint32_t>(i) * 2654435761u + 12345u;
}

/// A permutation of [0, 2^bits): no two neighbours share a sector. Each step can be undone.
inline __host__ __device__ std::uint32_t scattered(std::uint32_t i, int bits) {
  const std::uint32_t mask = (1u << bits) - 1;
  i = (i * 0x9e3779b1u) & mask;
  i ^= i >> (bits / 2);
  i = (i * 0x85ebca6bu) & mask;
  i ^= i >> (bits / 2);
  return (i * 0xc2b2ae35u) & mask;
}

enum class accesses { stores, loads };

/// 2^bits words of four bytes by the threads of one kernel, each its own: to[p(i)] = from[i] or
/// to[i] = from[p(i)], where p is scattered() or nothing.
void access_words(accesses how, bool random, std::uint32_t* to, const std::uint32_t* from, int bits,
                  cudaStream_t on);

/// The same in order, 16 bytes a thread: `bytes` is a multiple of 16, as are the addresses.
void move_by_kernel(void* to, const void* from, std::size_t bytes, cudaStream_t on);

}  // namespace gossamer::bench
