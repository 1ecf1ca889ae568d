// Clusters of blocks, and what a build or device without them has instead: one block.
#pragma once

#include <cooperative_groups.h>

#include <cstdint>

#include "gossamer/base/ids.hpp"

namespace gossamer::bfs_detail::cuda::cluster {

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
__device__ inline int size() {
  return static_cast<int>(cooperative_groups::this_cluster().num_blocks());
}
__device__ inline int rank() {
  return static_cast<int>(cooperative_groups::this_cluster().block_rank());
}
/// Every thread of every block; all memory written before is seen by all after, which costs a fence
/// of the device's scope.
__device__ inline void meet() {
  cooperative_groups::this_cluster().sync();
}
/// The same variable of another block.
template <class T>
__device__ inline T* at(T* shared, int block) {
  return cooperative_groups::this_cluster().map_shared_rank(shared, block);
}

__device__ inline std::uint32_t address(const void* shared) {
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(shared));
}
__device__ inline std::uint32_t address_at(const void* shared, int block) {
  std::uint32_t there;
  asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(address(shared)), "r"(block));
  return there;
}
/// Prepares a post box that is opened when `size()` words have come; one thread, then meet().
__device__ inline void prepare_box(std::uint64_t* box) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(address(box)) : "memory");
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}
/// One thread, after the last word that will come; then the memory may serve for something else.
__device__ inline void remove_box(std::uint64_t* box) {
  asm volatile("mbarrier.inval.shared::cta.b64 [%0];" ::"r"(address(box)) : "memory");
}
/// One thread of the owner, once for every time that the box opens.
__device__ inline void expect(std::uint64_t* box, int bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(address(box)),
               "r"(bytes)
               : "memory");
}
/// Stores a word in another block's memory and counts it in the box there: data and signal in one,
/// without a fence.
__device__ inline void post(int* to, int value, std::uint64_t* box, int block) {
  asm volatile(
      "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.b32 [%0], %1, [%2];" ::"r"(
          address_at(to, block)),
      "r"(value), "r"(address_at(box, block))
      : "memory");
}
__device__ inline void post(std::uint64_t* to, std::uint64_t value, std::uint64_t* box, int block) {
  asm volatile(
      "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.b64 [%0], %1, [%2];" ::"r"(
          address_at(to, block)),
      "l"(value), "r"(address_at(box, block))
      : "memory");
}
/// Returns when the box has opened for the time whose number has this parity.
__device__ inline void await(std::uint64_t* box, std::uint32_t parity) {
  std::uint32_t open = 0;
  while (open == 0)
    asm volatile(
        "{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;"
        " selp.u32 %0, 1, 0, p; }"
        : "=r"(open)
        : "r"(address(box)), "r"(parity)
        : "memory");
}
#else
__device__ inline int size() {
  return 1;
}
__device__ inline int rank() {
  return 0;
}
__device__ inline void meet() {
  __syncthreads();
}
template <class T>
__device__ inline T* at(T* shared, int) {
  return shared;
}
__device__ inline void prepare_box(std::uint64_t*) {}
__device__ inline void remove_box(std::uint64_t*) {}
__device__ inline void expect(std::uint64_t*, int) {}
template <class T>
__device__ inline void post(T* to, T value, std::uint64_t*, int) {
  *to = value;
}
__device__ inline void await(std::uint64_t*, std::uint32_t) {
  __syncthreads();
}
#endif

/// 16 bytes from global to shared memory, on their way until arrived().
__device__ inline void fetch(int4* to, const int4* from) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(
                   static_cast<std::uint32_t>(__cvta_generic_to_shared(to))),
               "l"(from)
               : "memory");
#else
  *to = *from;
#endif
}
/// Of this thread's fetches.
__device__ inline void arrived() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_all;" ::: "memory");
#endif
}

}  // namespace gossamer::bfs_detail::cuda::cluster
