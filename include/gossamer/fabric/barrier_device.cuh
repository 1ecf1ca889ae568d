// Barriers that kernels call: over blocks of a grid, and over ranks. Both are bounded, as every
// wait of a kernel is (window_device.cuh). Included from .cu files only.
#pragma once

#include "gossamer/fabric/window_device.cuh"

namespace gossamer {

/// Barrier over `blocks` blocks of a running kernel: those that call it with the same `state`. They
/// are all resident (cooperative launch, or a grid no larger than the device holds). Bounded,
/// unlike grid.sync(), so it may be used by kernels that also wait for peers. `state` points to two
/// zeroed words in device memory and may be reused by the next kernel. Returns false when the run
/// is being aborted: every block then leaves.
__device__ inline bool grid_barrier(const device_guard& guard, std::uint32_t* state,
                                    unsigned blocks) {
  __shared__ bool alive;
  __syncthreads();
  if (threadIdx.x == 0) {
    cuda::atomic_ref<std::uint32_t, cuda::thread_scope_device> arrived(state[0]), phase(state[1]);
    const std::uint32_t before = phase.load(cuda::memory_order_relaxed);
    alive = true;
    if (arrived.fetch_add(1, cuda::memory_order_acq_rel) == blocks - 1) {
      arrived.store(0, cuda::memory_order_relaxed);
      phase.store(before + 1, cuda::memory_order_release);
    } else {
      device_wait_bound bound(guard, guard.rank);
      while (phase.load(cuda::memory_order_acquire) == before)
        if (bound.expired()) {
          bound.give_up(0, 0, before + 1, before);
          alive = false;
          break;
        }
    }
  }
  __syncthreads();
  return alive;
}

/// Barrier over all ranks, by all threads of one block of each rank's kernel. What any thread of
/// these blocks wrote before, to any rank's memory, everybody sees after. Each rank stores `epoch`
/// into a counter of every peer and waits for its own, so no atomics are needed: one hop. `arrived`
/// has as many counters as ranks from `first` on, for this use alone; `epoch` grows by one with
/// each call, from 1. Returns false in all threads when the wait was given up.
__device__ inline bool rank_barrier(const device_guard& guard, const device_signals& arrived,
                                    std::size_t first, std::uint64_t epoch) {
  __syncthreads();
  bool all_here = true;
  const int step = static_cast<int>(blockDim.x), own = static_cast<int>(threadIdx.x);
  for (int peer = own; peer < guard.ranks; peer += step)
    arrived.set(peer, first + static_cast<std::size_t>(guard.rank), epoch);
  for (int peer = own; peer < guard.ranks && all_here; peer += step)
    all_here = arrived.wait(guard, first + static_cast<std::size_t>(peer), epoch, peer);
  return __syncthreads_and(all_here) != 0;
}

}  // namespace gossamer
