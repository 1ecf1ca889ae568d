// Warp-level pieces of the BFS kernels: a queue per warp, sums, and the report at a kernel's end.
//
// Every function here is called by whole warps (report_level: by whole blocks).
#pragma once

#include "algorithm/bfs/cuda/level_view.hpp"
#include "algorithm/cuda/warp.cuh"

namespace gossamer::bfs_detail::cuda {

using algorithm_detail::cuda::inclusive_sum;
using algorithm_detail::cuda::lane_id;
using algorithm_detail::cuda::lanes_below;
using algorithm_detail::cuda::whole_warp;

/// Adds every lane's value to `*to` with one atomic a warp.
__device__ inline void add_of_warp(unsigned long long* to, unsigned long long value) {
  for (int d = 16; d > 0; d /= 2) value += __shfl_xor_sync(whole_warp, value, d);
  if (lane_id() == 0 && value != 0) atomicAdd(to, value);
}

/// Places in a queue for the warp's new vertices, gathered in shared memory first: one atomic on
/// the queue's end for about 100 vertices. Without it the atomics of a level with millions of
/// discoveries, all on one address, cost more than the traversal.
class warp_queue {
 public:
  static constexpr int capacity = 128;
  __device__ explicit warp_queue(std::int32_t* slots) : slots_(slots) {}
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
    __syncwarp();
    unsigned long long at = 0;
    if (lane_id() == 0) at = atomicAdd(tail, static_cast<unsigned long long>(filled_));
    at = __shfl_sync(whole_warp, at, 0);
    for (int i = static_cast<int>(lane_id()); i < filled_; i += 32) queue[at + i] = slots_[i];
    __syncwarp();
    filled_ = 0;
  }

 private:
  std::int32_t* slots_;
  int filled_ = 0;  // the same in all lanes
};

/// The last block of the grid to come here writes the report and clears the counters. All threads
/// of all blocks call it once, after their last atomics. The fence before the ticket makes a
/// block's additions visible before it counts as finished; the system fence orders the report's
/// numbers before its sequence number, which the host polls.
template <class Id>
__device__ inline void report_level(const level_view<Id>& v, reporting what,
                                    unsigned long long sequence) {
  if (what == reporting::none) return;
  __threadfence();
  __syncthreads();
  if (threadIdx.x != 0) return;
  if (atomicAdd(&v.count->ticket, 1u) != gridDim.x - 1) return;
  __threadfence();
  if (what == reporting::mail) {
    for (int d = 0; d < v.own.ranks; ++d) {
      v.mail[d] = static_cast<long long>(__ldcg(v.outbox_count + d));
      v.outbox_count[d] = 0;
    }
  } else {
    v.out->vertices = static_cast<long long>(__ldcg(&v.count->tail));
    v.out->arcs = static_cast<long long>(__ldcg(&v.count->arcs));
    v.count->tail = 0;
    v.count->arcs = 0;
  }
  v.count->hubs = 0;
  v.count->ticket = 0;
  __threadfence_system();
  *static_cast<volatile unsigned long long*>(&v.out->sequence) = sequence;
}

}  // namespace gossamer::bfs_detail::cuda
