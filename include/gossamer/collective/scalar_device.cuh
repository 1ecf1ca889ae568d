// Device twin of scalar.hpp: scalar allreduce and allgather called from inside a running kernel,
// no host in the loop. Included from .cu files only.
//
// The protocol is the host's, carried out by a warp: one-shot push, flag and data in one 8-byte
// word, two buffers by epoch parity, flags compared modulo 2^32. The epoch lives in device memory,
// because the arguments of a replayed graph are frozen. Plans of the two sides are separate: a plan
// is used by hosts or by kernels, never by both.
#pragma once

#include <cstdint>
#include <cstring>
#include <vector>

#include "gossamer/collective/scalar.hpp"
#include "gossamer/collective/word_pair.hpp"
#include "gossamer/fabric/window_device.cuh"

namespace gossamer {

/// Handle for kernels, made by make_device_scalar; trivially copyable.
template <class T>
struct device_scalar {
  device_window<std::uint64_t> slots;  ///< [2][ranks][2] words
  std::uint32_t* epoch;                ///< device memory, counts up with every call
  device_guard guard;
  std::uint32_t id;
};

/// Whether a call also orders memory. With `both`, what the warp wrote before, and what it saw of
/// others, is seen by every rank after its own call. That costs a fence, which is a trip to each
/// peer written to before.
enum class scalar_order : std::uint8_t { none, both };

/// A warp's use of a handle, made once in a kernel by all 32 lanes. They make every call together,
/// with the same arguments, and get the same results. One warp of a rank at a time.
///
/// Each lane stores to one peer and polls one slot, so a call costs one trip over the wire. The
/// words of a value carry their flags, nothing is fenced, and the epoch stays in a register until
/// the caller ends.
template <class T>
class scalar_caller {
 public:
  __device__ explicit scalar_caller(const device_scalar<T>& handle)
      : handle_(handle), epoch_(*handle.epoch), lane_(static_cast<int>(threadIdx.x % 32)) {
    if (lane_ < handle.guard.ranks) peer_ = handle.slots.at(lane_);
    __syncwarp();
  }
  scalar_caller(const scalar_caller&) = delete;
  __device__ ~scalar_caller() {
    if (lane_ == 0) *handle_.epoch = epoch_;
    __syncwarp();
  }

  /// Reduction of every rank's value, combined in rank order; `ok` turns false when a peer failed
  /// or the deadline ran out (the value is then meaningless).
  template <class Combine>
  __device__ T allreduce(T value, Combine combine, bool& ok,
                         scalar_order order = scalar_order::none) {
    T result{};
    exchange(value, ok, order,
             [&](int r, T theirs) { result = r == 0 ? theirs : combine(result, theirs); });
    return result;
  }
  /// out[r] = rank r's value; written by every lane.
  __device__ void allgather(T value, T* out, bool& ok, scalar_order order = scalar_order::none) {
    exchange(value, ok, order, [&](int r, T theirs) { out[r] = theirs; });
  }

 private:
  static constexpr unsigned everyone = 0xffffffffu;

  template <class Visit>
  __device__ void exchange(T value, bool& ok, scalar_order order, Visit visit) {
    if (order == scalar_order::both) fence();
    ++epoch_;
    std::uint64_t bits = 0;
    memcpy(&bits, &value, sizeof value);
    const int ranks = handle_.guard.ranks, self = handle_.guard.rank;
    for (int r = lane_; r < ranks; r += 32)
      if (r != self) store(r, bits);
    for (int first = 0; first < ranks; first += 32) {
      const int mine = first + lane_;
      std::uint64_t theirs = bits;
      bool arrived = true;
      if (mine < ranks && mine != self) arrived = collect(mine, theirs, ok);
      ok = __all_sync(everyone, arrived) != 0 && ok;
      for (int i = 0; i < 32 && first + i < ranks; ++i) {
        const std::uint64_t word = __shfl_sync(everyone, theirs, i);
        T other;
        memcpy(&other, &word, sizeof other);
        visit(first + i, other);
      }
    }
    if (order == scalar_order::both) fence();
  }
  __device__ static void fence() {
    __syncwarp();
    cuda::atomic_thread_fence(cuda::memory_order_acq_rel, cuda::thread_scope_system);
    __syncwarp();
  }
  [[nodiscard]] __device__ std::size_t slot(int r) const {
    return (static_cast<std::size_t>(epoch_ & 1) * handle_.guard.ranks + r) * 2;
  }
  __device__ void store(int r, std::uint64_t bits) const {
    std::uint64_t* to = (r == lane_ ? peer_ : handle_.slots.at(r)) + slot(handle_.guard.rank);
    const auto words = word_pair::of(bits, word_pair::tag(epoch_));
    device_detail::store_relaxed(to, words.low, words.high);
  }
  __device__ bool collect(int from, std::uint64_t& bits, bool ok) const {
    const std::uint64_t tag = word_pair::tag(epoch_);
    const std::uint64_t* at = handle_.slots.mine + slot(from);
    device_wait_bound bound(handle_.guard, from);
    while (true) {
      word_pair words;
      device_detail::load_relaxed(at, words.low, words.high);
      if (words.arrived(tag)) {
        bits = words.data();
        return true;
      }
      if (!bound.expired()) continue;
      const bool first = word_pair::arrived(words.low, tag);
      if (ok)
        bound.give_up(handle_.id, slot(from) + (first ? 1 : 0), tag,
                      first ? words.high : words.low);
      return false;
    }
  }

  const device_scalar<T>& handle_;
  std::uint32_t epoch_;
  int lane_;
  std::uint64_t* peer_ = nullptr;  ///< slots of the rank with this lane's number
};

/// Makes the handle, collectively; GPU ranks only. Slots live in the GPUs' own memory where every
/// pair can address each other, else in pinned host memory, which all can. `first_epoch` as in
/// scalar_plan.
template <class T>
device_scalar<T> make_device_scalar(rank& r, std::uint32_t first_epoch = 0) {
  const auto words = static_cast<std::size_t>(scalar_slot_words(r.size()));
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
