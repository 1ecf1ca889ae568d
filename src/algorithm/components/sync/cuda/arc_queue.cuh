// Arcs on their way to be hooked, collected by a warp until there is one for each lane.
#pragma once

#include "algorithm/components/sync/cuda/hook.cuh"
#include "gossamer/dataflow/worklist/cuda/warp.cuh"

namespace gossamer::components_detail::cuda {

using dataflow::cuda::lane_id;
using dataflow::cuda::lanes_below;
using dataflow::cuda::whole_warp;

/// Arcs that a warp has found and not hooked yet, in shared memory. A hook is a chain of reads, as
/// long for one lane as for all: so arcs wait until there is one for each.
template <class Id>
class arc_queue {
 public:
  struct arc {
    Id from, to;
  };
  static constexpr int capacity = 64;

  __device__ arc_queue(Id* labels, arc* slots) : labels_(labels), slots_(slots) {}

  /// This lane's arc, when `mine`. Whole warps call.
  __device__ void add(bool mine, Id from, Id to) {
    const unsigned who = __ballot_sync(whole_warp, mine);
    if (mine) slots_[filled_ + __popc(who & lanes_below())] = {from, to};
    filled_ += __popc(who);
    __syncwarp();
    if (filled_ >= 32) hook_last(32);
  }
  __device__ void finish() { hook_last(filled_); }

 private:
  __device__ void hook_last(int count) {
    filled_ -= count;
    const bool mine = static_cast<int>(lane_id()) < count;
    const arc a = mine ? slots_[filled_ + lane_id()] : arc{};
    __syncwarp();  // places may be filled again
    hook(labels_, mine, a.from, a.to);
  }

  Id* labels_;
  arc* slots_;
  int filled_ = 0;  // the same in all lanes
};

}  // namespace gossamer::components_detail::cuda
