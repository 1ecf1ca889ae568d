// Device side of window.hpp: what kernels do with windows and signals. Included from .cu files
// only. barrier_device.cuh has the barriers. Only hosts prepare and start lists of puts: in a
// kernel, a loop does the same.
//
// Handles are trivially copyable and passed to kernels by value. Memory model: a put is plain
// stores. A signal is a release store at system scope, by a thread that the puts are ordered before
// (same thread, or after a block barrier). A wait is an acquire load at system scope. Every wait is
// bounded: every 1024 polls it looks at the abort record, the deadline on the GPU's global timer
// and the peer's heartbeat. It returns false when it gave up (the rank's board says why).
#pragma once

#include <cstdint>
#include <cuda/atomic>

#include "gossamer/base/ids.hpp"
#include "gossamer/fabric/wait_device.cuh"
#include "gossamer/fabric/window.hpp"
#include "gossamer/machine/kernels.cuh"

namespace gossamer {

/// A window as kernels see it.
template <class T>
struct device_window {
  std::byte* const* peers = nullptr;  ///< base addresses, null where stores cannot reach
  T* mine = nullptr;
  int rank = 0;

  /// The peer's elements; nullptr when kernels of this rank cannot address them.
  __device__ T* at(int peer) const { return reinterpret_cast<T*>(peers[peer]); }
  /// One element, relaxed: order it with a signal.
  __device__ void put(int peer, std::size_t index, T value) const { at(peer)[index] = value; }
  /// n elements by the calling block, all threads; ends with a block barrier, after which one
  /// thread may signal.
  __device__ void put_block(int peer, std::size_t offset, const T* from, std::size_t n) const {
    T* to = at(peer) + offset;
    for (std::size_t i = threadIdx.x; i < n; i += blockDim.x) to[i] = from[i];
    __syncthreads();
  }
  /// One element, as a signal that was waited for or a barrier has made it visible.
  __device__ T get(int peer, std::size_t index) const { return at(peer)[index]; }
  /// n elements to the calling block, all threads; ends with a block barrier.
  __device__ void get_block(int peer, std::size_t offset, T* into, std::size_t n) const {
    const T* from = at(peer) + offset;
    for (std::size_t i = threadIdx.x; i < n; i += blockDim.x) into[i] = from[i];
    __syncthreads();
  }
  /// Atomics on one element, relaxed; T has 4 or 8 bytes. Return the value before. They need
  /// `atomic` on the pair.
  __device__ T fetch_add(int peer, std::size_t index, T operand) const {
    return shared(peer, index).fetch_add(operand, cuda::memory_order_relaxed);
  }
  __device__ T compare_and_swap(int peer, std::size_t index, T expected, T desired) const {
    shared(peer, index).compare_exchange_strong(expected, desired, cuda::memory_order_relaxed);
    return expected;
  }

 private:
  __device__ cuda::atomic_ref<T, cuda::thread_scope_system> shared(int peer,
                                                                   std::size_t index) const {
    return cuda::atomic_ref<T, cuda::thread_scope_system>(at(peer)[index]);
  }
};

/// Counters as kernels see them.
struct device_signals {
  std::byte* const* peers = nullptr;
  std::uint64_t* mine = nullptr;
  std::uint32_t id = 0;
  int rank = 0;

  /// Sets the peer's counter; everything this thread wrote (or saw written) before is visible to
  /// whoever acquires it. One writer per counter.
  __device__ void set(int peer, std::size_t index, std::uint64_t value) const {
    device_detail::store_release(counter(peer, index), value);
  }
  /// Adds; needs `atomic` on the pair.
  __device__ void add(int peer, std::size_t index, std::uint64_t value) const {
    cuda::atomic_ref<std::uint64_t, cuda::thread_scope_system>(*counter(peer, index))
        .fetch_add(value, cuda::memory_order_release);
  }
  /// This thread waits until the own counter is >= value; false = gave up (see the board).
  __device__ bool wait(const device_guard& guard, std::size_t index, std::uint64_t value,
                       int from = -1) const {
    device_wait_bound bound(guard, from);
    while (true) {
      const std::uint64_t seen = device_detail::load_acquire(mine + index);
      if (seen >= value) return true;
      if (!bound.expired()) continue;
      bound.give_up(id, index, value, seen);
      return false;
    }
  }
  __device__ std::uint64_t* counter(int peer, std::size_t index) const {
    return reinterpret_cast<std::uint64_t*>(peers[peer]) + index;
  }
};

/// put_block, then the peer's counter is set: data is there when the signal is seen. By the calling
/// block, all threads.
template <class T>
__device__ inline void put_signal_block(const device_window<T>& to, int peer, std::size_t offset,
                                        const T* from, std::size_t n, const device_signals& flags,
                                        std::size_t index, std::uint64_t value) {
  to.put_block(peer, offset, from, n);
  if (threadIdx.x == 0) flags.set(peer, index, value);
}

/// Handles of host objects; GPU ranks only.
template <class T>
device_window<T> device_handle(const window<T>& w) {
  return {w.table().device_peers, w.local().data(), w.table().rank};
}
inline device_signals device_handle(const signal_set& s) {
  const auto& table = s.table();
  return {table.device_peers, reinterpret_cast<std::uint64_t*>(table.parts[table.rank].data),
          table.id, table.rank};
}

}  // namespace gossamer
