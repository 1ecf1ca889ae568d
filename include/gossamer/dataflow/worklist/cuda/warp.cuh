// Lanes of a warp: their numbers and sums, the rows they share, a queue. Every function here is
// called by whole warps.
#pragma once

#include <cstdint>

namespace gossamer::dataflow::cuda {

inline constexpr unsigned whole_warp = 0xffffffffu;

__device__ inline unsigned lane_id() {
  return threadIdx.x & 31u;
}
__device__ inline unsigned lanes_below() {
  return (1u << lane_id()) - 1u;
}

/// This warp's number in the grid. Consecutive numbers lie in different blocks, so that a step with
/// less work than warps still uses the memory accesses of every multiprocessor.
__device__ inline std::int64_t warp_of_grid() {
  return std::int64_t{threadIdx.x / 32} * gridDim.x + blockIdx.x;
}

/// Sum over lanes 0 … own lane.
template <class T>
__device__ inline T inclusive_sum(T value) {
  for (int d = 1; d < 32; d *= 2) {
    const T below = __shfl_up_sync(whole_warp, value, d);
    if (lane_id() >= static_cast<unsigned>(d)) value += below;
  }
  return value;
}

/// The lanes' rows are joined; those of lanes 0 … own end before arc `up_to`. Returns whose row arc
/// j is in, 31 behind the last. All lanes take the same steps.
__device__ inline int row_of_arc(int up_to, int j) {
  int row = 0;  // lanes whose rows end at or before j
  for (int step = 16; step > 0; step /= 2)
    if (__shfl_sync(whole_warp, up_to, row + step - 1) <= j) row += step;
  return row < 31 ? row : 31;
}

/// Adds every lane's value to `*to` with one atomic a warp.
__device__ inline void add_of_warp(unsigned long long* to, unsigned long long value) {
  for (int d = 16; d > 0; d /= 2) value += __shfl_xor_sync(whole_warp, value, d);
  if (lane_id() == 0 && value != 0) atomicAdd(to, value);
}

/// Places in a queue for the warp's new vertices, gathered in shared memory first: one atomic on
/// the queue's end for about 100 vertices. Without it the atomics of a level with millions of
/// finds, all on one address, cost more than the traversal.
///
/// `Apart`: what is done once for a hundred vertices is a function of its own. Kernels that come to
/// it from many places have half the code then, and take half the time to compile.
template <bool Apart>
class warp_queue_of {
 public:
  static constexpr int capacity = 128;
  __device__ explicit warp_queue_of(std::int32_t* slots) : slots_(slots) {}
  __device__ void push(bool mine, std::int32_t vertex, std::int32_t* queue,
                       unsigned long long* tail) {
    const unsigned who = __ballot_sync(whole_warp, mine);
    if (who == 0) return;
    if (mine) slots_[filled_ + __popc(who & lanes_below())] = vertex;
    filled_ += __popc(who);
    if (filled_ > capacity - 32) flush(queue, tail);
  }
  __device__ void flush(std::int32_t* queue, unsigned long long* tail) {
    if (filled_ == 0) return;
    if constexpr (Apart)
      put_apart(slots_, filled_, queue, tail);
    else
      put(slots_, filled_, queue, tail);
    filled_ = 0;
  }

 private:
  static __device__ __forceinline__ void put(const std::int32_t* slots, int filled,
                                             std::int32_t* queue, unsigned long long* tail) {
    __syncwarp();
    unsigned long long at = 0;
    if (lane_id() == 0) at = atomicAdd(tail, static_cast<unsigned long long>(filled));
    at = __shfl_sync(whole_warp, at, 0);
    for (int i = static_cast<int>(lane_id()); i < filled; i += 32) queue[at + i] = slots[i];
    __syncwarp();
  }
  static __device__ __noinline__ void put_apart(const std::int32_t* slots, int filled,
                                                std::int32_t* queue, unsigned long long* tail) {
    put(slots, filled, queue, tail);
  }

  std::int32_t* slots_;
  int filled_ = 0;  // the same in all lanes
};
using warp_queue = warp_queue_of<false>;

}  // namespace gossamer::dataflow::cuda
