// Sums over all blocks of a running kernel, and over all ranks' kernels, that are barriers too.
//
// A block stores its part as a pair of words that carry data and count (collective's packed form);
// block 0 polls all of them, a thread each, and adds them in a fixed order; its warp 0 exchanges
// the sum with the other ranks and stores the result likewise. So arriving and telling cost one
// trip each, where a barrier with sums in memory would cost three. What any block wrote before is
// seen by all after.
//
// Fences cost more than the trips, so they are as narrow as they may be. Blocks of one GPU meet by
// fences of the device's scope. Where blocks wrote to other ranks, the one warp that talks to these
// has a fence of the system's scope on either side, and causality does the rest.
#pragma once

#include <cstdint>

#include "algorithm/cuda/block_sums.cuh"
#include "gossamer/collective/scalar_device.cuh"

namespace gossamer::algorithm_detail::cuda {

inline constexpr int most_sums = 2;

struct grid_sums_memory {
  std::uint64_t* parts;   ///< [2 parities][most_sums][most_blocks] pairs, zeroed once
  std::uint64_t* totals;  ///< [2 parities][most_sums] pairs, zeroed once
};
inline constexpr std::size_t grid_sums_words = 2 * most_sums * (most_blocks + 1) * 2;

/// `Threads`: of a block. Few and large blocks leave fewer parts to collect.
template <int Threads>
class grid_sums {
 public:
  /// `count` is that of the last launch; all threads construct it alike.
  __device__ grid_sums(const grid_sums_memory& memory, const device_guard& guard,
                       std::uint32_t count)
      : memory_(memory), guard_(guard), count_(count) {}

  /// values := their sums over all threads of all ranks, the same bits everywhere. `across` is what
  /// warp 0 of block 0 has for the other ranks, else null; `exposed`: what was written to other
  /// ranks before is seen by them after. False: gave up, every thread leaves.
  template <int N>
  __device__ bool all(double (&values)[N], scalar_caller<double>* across, bool exposed) {
    static_assert(N <= most_sums);
    ++count_;
    for (int i = 0; i < N; ++i) values[i] = block_sum<Threads>(values[i]);
    if (threadIdx.x == 0) {
      fence<::cuda::thread_scope_device>();
      for (int i = 0; i < N; ++i) store(part(i, static_cast<int>(blockIdx.x)), values[i]);
    }
    __shared__ double totals[most_sums];
    __shared__ bool alive;
    if (blockIdx.x == 0) collect<N>(across, exposed);
    if (threadIdx.x == 0) {
      alive = true;
      for (int i = 0; i < N; ++i) alive = load(total(i), totals[i]) && alive;
      fence<::cuda::thread_scope_device>();
    }
    __syncthreads();
    for (int i = 0; i < N; ++i) values[i] = totals[i];
    const bool ok = alive;
    __syncthreads();  // both may be written again
    return ok;
  }

  /// This launch's part of a loop that agrees by these sums: start(), unless `s` has begun, then
  /// step() until it is done. Either is false when a wait gave up. `s`, a copy of *w.state that all
  /// threads of the block see, goes back there.
  template <class Work, class State, class Start, class Step>
  __device__ __forceinline__ void iterate(const Work& w, State& s, Start start, Step step) {
    bool alive = s.started != 0 || start();
    for (std::int64_t i = 0; alive && s.done == 0 && i < w.iterations; ++i) alive = step();
    if (blockIdx.x != 0 || threadIdx.x != 0) return;
    s.sums = count_;
    *w.state = s;
  }
  /// This thread's number in the grid, and how many there are.
  [[nodiscard]] __device__ static std::int64_t thread() {
    return std::int64_t{blockIdx.x} * Threads + threadIdx.x;
  }
  [[nodiscard]] __device__ static std::int64_t threads() {
    return std::int64_t{gridDim.x} * Threads;
  }

 private:
  template <int N>
  __device__ void collect(scalar_caller<double>* across, bool exposed) {
    bool ok = true;
    double sums[N] = {};
    for (int b = static_cast<int>(threadIdx.x); b < static_cast<int>(gridDim.x); b += Threads)
      for (int i = 0; i < N; ++i) {
        double theirs = 0;
        ok = load(part(i, b), theirs) && ok;
        sums[i] += theirs;
      }
    for (int i = 0; i < N; ++i) sums[i] = block_sum<Threads>(sums[i]);
    ok = __syncthreads_and(ok) != 0;
    if (threadIdx.x >= 32) return;
    if (guard_.ranks > 1) {
      if (exposed) fence<::cuda::thread_scope_system>();
      for (int i = 0; i < N; ++i)
        sums[i] = across->allreduce(__shfl_sync(0xffffffffu, sums[i], 0), device_sum{}, ok);
      if (exposed) fence<::cuda::thread_scope_system>();
    }
    // A rank that gave up tells nobody: all others find its record.
    if (ok && threadIdx.x == 0) {
      fence<::cuda::thread_scope_device>();
      for (int i = 0; i < N; ++i) store(total(i), sums[i]);
    }
  }
  template <::cuda::thread_scope Scope>
  __device__ static void fence() {
    ::cuda::atomic_thread_fence(::cuda::memory_order_acq_rel, Scope);
  }
  [[nodiscard]] __device__ std::uint64_t* part(int which, int block) const {
    return memory_.parts +
           2 * (((count_ & 1) * most_sums + which) * most_blocks + static_cast<unsigned>(block));
  }
  [[nodiscard]] __device__ std::uint64_t* total(int which) const {
    return memory_.totals + 2 * ((count_ & 1) * most_sums + which);
  }
  __device__ void store(std::uint64_t* to, double value) const {
    const auto bits = static_cast<std::uint64_t>(__double_as_longlong(value));
    const auto words = word_pair::of(bits, word_pair::tag(count_));
    device_detail::store_relaxed(to, words.low, words.high);
  }
  __device__ bool load(const std::uint64_t* from, double& value) const {
    const std::uint64_t tag = word_pair::tag(count_);
    device_wait_bound bound(guard_, guard_.rank);
    while (true) {
      word_pair words;
      device_detail::load_relaxed(from, words.low, words.high);
      if (words.arrived(tag)) {
        value = __longlong_as_double(static_cast<long long>(words.data()));
        return true;
      }
      if (!bound.expired()) continue;
      bound.give_up(0, 0, tag, words.low);
      return false;
    }
  }

  const grid_sums_memory& memory_;
  const device_guard& guard_;
  std::uint32_t count_;
};

}  // namespace gossamer::algorithm_detail::cuda
