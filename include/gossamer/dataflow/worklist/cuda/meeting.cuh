// How the blocks of one running kernel, which are all resident, meet: each arrives, the last to
// come holds the meeting, and the others wait for that.
//
// Two words in device memory, zero before the first meeting. One counts the blocks that have come
// to all meetings together, so that nothing needs clearing. The other is the number of the last
// meeting that was held. Called by one thread a block, between block barriers. What the block wrote
// before its arrival is then seen by every block after the meeting: arrivals are one release
// sequence, which the last one acquires and passes on with `held`.
#pragma once

#include "gossamer/fabric/wait_device.cuh"

namespace gossamer::dataflow::cuda {

/// Comes to meeting `number`, 1 and on; whether as the last.
__device__ inline bool arrive(std::uint32_t* words, std::uint32_t number) {
  return device_detail::fetch_add_on_device(words, 1) + 1 == number * gridDim.x;
}
/// By the last to come.
__device__ inline void hold(std::uint32_t* words, std::uint32_t number) {
  device_detail::store_release_on_device(words + 1, number);
}
/// By the others; false: the wait ran out, or the run is over.
__device__ inline bool await_meeting(std::uint32_t* words, std::uint32_t number,
                                     const device_guard& guard) {
  device_wait_bound bound(guard, guard.rank);
  while (device_detail::load_acquire_on_device(words + 1) != number) {
    if (!bound.expired()) continue;
    bound.give_up(0, 0, number, 0);
    return false;
  }
  return true;
}

}  // namespace gossamer::dataflow::cuda
