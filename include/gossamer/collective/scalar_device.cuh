// Device twin of scalar.hpp: scalar allreduce and allgather called from inside a running kernel,
// no host in the loop. Included from .cu files only.
//
// The protocol is the host's (one-shot push, flag and data in one 8-byte store, two buffers by
// epoch parity, flags compared modulo 2^32). The epoch lives in device memory, because the
// arguments of a replayed graph are frozen. Plans of the two sides are separate: a plan is used by
// hosts or by kernels, never by both.
#pragma once

#include <cstdint>
#include <cstring>
#include <vector>

#include "gossamer/collective/scalar.hpp"
#include "gossamer/fabric/window_device.cuh"

namespace gossamer {

/// Handle for kernels, made by device_scalar_plan; trivially copyable. All calls are made by ONE
/// thread of a rank (others get the value by shared or global memory).
template <class T>
struct device_scalar {
  device_window<std::uint64_t> slots;  ///< [2][ranks][2] words
  std::uint32_t* epoch;                ///< device memory, counts up with every call
  device_guard guard;
  std::uint32_t id;

  /// Reduction of every rank's value, combined in rank order; `ok` turns false when a peer failed
  /// or the deadline ran out (the value is then meaningless).
  template <class Combine>
  __device__ T allreduce(T value, Combine combine, bool& ok) const {
    const std::uint32_t now = push(value);
    T result{};
    for (int r = 0; r < guard.ranks; ++r) {
      const T theirs = r == guard.rank ? value : collect(r, now, ok);
      result = r == 0 ? theirs : combine(result, theirs);
    }
    return result;
  }
  /// out[r] = rank r's value.
  __device__ void allgather(T value, T* out, bool& ok) const {
    const std::uint32_t now = push(value);
    for (int r = 0; r < guard.ranks; ++r) out[r] = r == guard.rank ? value : collect(r, now, ok);
  }

 private:
  __device__ std::size_t slot(std::uint32_t now, int r) const {
    return (static_cast<std::size_t>(now & 1) * guard.ranks + r) * 2;
  }
  __device__ std::uint32_t push(T value) const {
    const std::uint32_t now = *epoch + 1;
    *epoch = now;
    std::uint64_t bits = 0;
    memcpy(&bits, &value, sizeof value);
    const std::uint64_t flag = std::uint64_t{now} << 32;
    const std::size_t at = slot(now, guard.rank);
    // Earlier puts of this thread become visible with the value: one release fence for all peers.
    cuda::atomic_thread_fence(cuda::memory_order_release, cuda::thread_scope_system);
    for (int i = 1; i < guard.ranks; ++i) {
      std::uint64_t* theirs = slots.at((guard.rank + i) % guard.ranks);
      device_detail::store_relaxed(theirs + at, flag | (bits & 0xffffffffu));
      device_detail::store_relaxed(theirs + at + 1, flag | (bits >> 32));
    }
    return now;
  }
  __device__ T collect(int from, std::uint32_t now, bool& ok) const {
    const std::uint64_t flag = std::uint64_t{now} << 32;
    const std::size_t at = slot(now, from);
    std::uint64_t words[2];
    for (int half = 0; half < 2; ++half) {
      device_wait_bound bound(guard, from);
      while (true) {
        words[half] = device_detail::load_acquire(slots.mine + at + half);
        if (static_cast<std::int64_t>(words[half] - flag) >= 0) break;
        if (!bound.expired()) continue;
        if (ok) bound.give_up(id, at + half, flag, words[half]);
        ok = false;
        break;
      }
    }
    const std::uint64_t bits = (words[0] & 0xffffffffu) | (words[1] << 32);
    T value;
    memcpy(&value, &bits, sizeof value);
    return value;
  }
};

/// Makes the handle, collectively; GPU ranks only. Slots live in the GPUs' own memory where every
/// pair can address each other, else in pinned host memory, which all can. `first_epoch` as in
/// scalar_plan.
template <class T>
device_scalar<T> make_device_scalar(rank& r, std::uint32_t first_epoch = 0) {
  const std::size_t words = 2 * static_cast<std::size_t>(r.size()) * 2;
  const home where = r.owner().all_direct() ? home::native : home::host;
  auto slots = r.make_window<std::uint64_t>(words, where);
  auto epoch = r.scratch<std::uint32_t>(1);
  const std::vector<std::uint64_t> never(words, std::uint64_t{first_epoch} << 32);
  copy_bytes(slots.local().data(), never.data(), words * sizeof(std::uint64_t));
  copy_bytes(epoch.data(), &first_epoch, sizeof first_epoch);
  r.barrier();
  return {device_handle(slots), epoch.data(), r.guard(), slots.table().id};
}

/// Reductions for device_scalar::allreduce.
struct device_sum {
  template <class T>
  __device__ T operator()(T a, T b) const {
    return a + b;
  }
};
struct device_min {
  template <class T>
  __device__ T operator()(T a, T b) const {
    return b < a ? b : a;
  }
};
struct device_max {
  template <class T>
  __device__ T operator()(T a, T b) const {
    return a < b ? b : a;
  }
};
struct device_bit_or {
  template <class T>
  __device__ T operator()(T a, T b) const {
    return a | b;
  }
};

}  // namespace gossamer
