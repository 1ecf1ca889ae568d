// One kernel launch per epoch of a plan: the team is one block, or a grid whose blocks all run at
// once (few enough for that; every wait has a deadline should they not).
//
// The command list lies in shared memory, so a step costs no trip to learn what to do. It is there
// for all turns, because the epoch comes from memory in the same trip. The next kernel of the
// stream may start while this one runs (programmatic dependent launch). So a plan that follows a
// plan has its command list loaded when its turn comes, and waits there until this kernel is
// complete.
//
// Several blocks: a signal is raised by the last of them to arrive at it, which costs the others
// nothing, and only `settled` steps wait for all. Or each takes a slice of every step, and none
// waits for the others before the end (slices.hpp).
#include <cuda_runtime.h>

#include <cstdint>

#include "collective/kernel/command_list.hpp"
#include "collective/kernel/cuda/launch.cuh"
#include "collective/kernel/packed_hops.hpp"
#include "collective/kernel/packing.hpp"
#include "collective/schedule/with_type.hpp"
#include "gossamer/fabric/barrier_device.cuh"

namespace gossamer::collective_gpu {

namespace {

constexpr int most_threads = 1024;  // of a block, as command_binder.cpp has it

class gpu_team {
 public:
  __device__ gpu_team(const command_list& p, const device_guard& guard, std::uint64_t epoch,
                      const std::uint64_t* first_counter, std::uint64_t seen)
      : commands_(p),
        guard_(guard),
        first_counter_(first_counter),
        seen_(seen),
        arrivals_(p.arrivals + (epoch & (p.turns - 1)) * p.count),
        blocks_(p.slices > 1 ? 1 : gridDim.x),
        first_(p.slices > 1 ? 0 : blockIdx.x * blockDim.x) {}
  __device__ std::size_t index() const { return first_ + threadIdx.x; }
  __device__ std::size_t size() const { return static_cast<std::size_t>(blocks_) * blockDim.x; }
  /// Sizes are powers of two: a division would take longer than the step.
  __device__ std::size_t from(int first) const {
    return (index() - static_cast<std::size_t>(first)) & (size() - 1);
  }

  __device__ bool sync(bool alive) const {
    alive = __syncthreads_and(alive) != 0;
    if (blocks_ == 1 || !alive) return alive;
    return grid_barrier(guard_, commands_.barrier, blocks_);
  }
  /// Of the whole grid. One block needs none: the epoch was counted when all had read it.
  __device__ bool end(bool alive) const {
    if (gridDim.x == 1) return alive;
    alive = __syncthreads_and(alive) != 0;
    return alive && grid_barrier(guard_, commands_.barrier, gridDim.x);
  }

  __device__ void raise(const command& s, int step, std::uint64_t value) const {
    if (s.lag != 0) {  // about a kernel that is complete
      if (index() == (step & (blockDim.x - 1))) device_detail::store_relaxed(s.counter, value);
      return;
    }
    __syncthreads();
    if (threadIdx.x == 0 && last_to_arrive(step)) device_detail::store_release(s.counter, value);
  }
  /// One thread of a block; acquires and releases for all blocks, at system scope because what they
  /// wrote may lie in a peer's memory.
  __device__ bool last_to_arrive(int step) const {
    if (blocks_ == 1) return true;
    cuda::atomic_ref<std::uint32_t, cuda::thread_scope_system> arrived(arrivals_[step]);
    return (arrived.fetch_add(1, cuda::memory_order_acq_rel) + 1) % blocks_ == 0;
  }

  /// A thread each.
  __device__ bool await(const command* s, int n, std::uint64_t epoch) const {
    bool alive = true;
    for (int i = threadIdx.x; i < n; i += blockDim.x)
      alive = await_one(s[i], awaited(s[i], epoch)) && alive;
    return __syncthreads_and(alive) != 0;
  }
  __device__ bool await_one(const command& s, std::uint64_t value) const {
    if (s.counter == first_counter_ && seen_ >= value) return true;
    device_wait_bound bound(guard_, s.peer);
    while (true) {
      const auto seen = device_detail::load_acquire(s.counter);
      if (seen >= value) return true;
      if (!bound.expired()) continue;
      bound.give_up(commands_.signals, static_cast<std::uint64_t>(s.signal), value, seen);
      return false;
    }
  }

  __device__ void store_pair(const command& s, std::size_t j, const word_pair& pair) const {
    device_detail::store_relaxed(s.words + 2 * j, pair.low, pair.high);
  }
  __device__ static std::uint64_t source(const command& s, std::size_t j) {
    return command_detail::load_eight(s.from, j, s.bytes);
  }
  /// All at once, again until the last is there.
  template <int N>
  __device__ bool load_pairs(command_detail::awaited_pairs<N>& pairs, std::uint64_t tag) const {
    device_wait_bound bound(guard_, pairs.step[0]->peer);
    while (true) {
      bool all = true;
#pragma unroll
      for (int i = 0; i < N; ++i) {
        pairs.seen[i] = {tag, tag};
        if (pairs.at[i])
          device_detail::load_relaxed(pairs.at[i], pairs.seen[i].low, pairs.seen[i].high);
      }
#pragma unroll
      for (int i = 0; i < N; ++i) all = all && pairs.seen[i].arrived(tag);
      if (all) return true;
      if (!bound.expired()) continue;
      bool told = false;
#pragma unroll
      for (int i = 0; i < N; ++i) {
        if (told || pairs.seen[i].arrived(tag)) continue;
        bound.blame(pairs.step[i]->peer);
        bound.give_up(commands_.inbox, pairs.at[i] - pairs.step[i]->words, tag, pairs.seen[i].low);
        told = true;
      }
      return false;
    }
  }

 private:
  const command_list& commands_;
  const device_guard& guard_;
  const std::uint64_t* first_counter_;  ///< what this thread waits for first
  std::uint64_t seen_;                  ///< what was there with the epoch
  std::uint32_t* arrivals_;             ///< of this turn
  unsigned blocks_, first_;             ///< of the team; this block's first thread in it
};

/// What this thread waits for in the first waits of a command list, if they come before anything
/// that takes time; the same in every turn.
__device__ const std::uint64_t* first_counter(const command* all, int count) {
  using kind = command::kind;
  const auto before = [](const command& s) {
    return s.what == kind::none || (s.what == kind::raise && s.lag != 0);
  };
  int i = 0;
  while (i < count && before(all[i])) ++i;
  const int mine = i + static_cast<int>(threadIdx.x);
  for (; i < count && all[i].what == kind::wait; ++i)
    if (i == mine) return all[i].counter;
  return nullptr;
}

using word = std::uint64_t;
static_assert(sizeof(command) % sizeof(word) == 0);
constexpr int step_words = sizeof(command) / sizeof(word);
/// Steps that shared memory has room for: of all turns where blocks are one team, more than packed
/// transfers aim at (kept_steps), which have to be loaded before they begin.
constexpr int most_kept = 320;

/// This block's slices of some steps.
template <class T>
__device__ const command* slices_of(const command_list& p, const command* steps, int n,
                                    word* kept) {
  auto* mine = reinterpret_cast<command*>(kept);
  __syncthreads();  // those before are done with
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    mine[i] = steps[i];
    take_slice(mine[i], sizeof(T), blockIdx.x, p.slices);
  }
  __syncthreads();
  return mine;
}

template <class T>
__global__ void __launch_bounds__(most_threads)
    command_kernel(const __grid_constant__ command_list p,
                   const __grid_constant__ device_guard guard, reduction op) {
  __shared__ word kept[most_kept * step_words];
  const bool sliced = p.slices > 1, fits = !sliced && p.turns * p.count <= most_kept;
  for (int i = threadIdx.x; fits && i < p.turns * p.count * step_words; i += blockDim.x)
    kept[i] = reinterpret_cast<const word*>(p.steps)[i];
  __syncthreads();
  const auto* all = fits ? reinterpret_cast<const command*>(kept) : p.steps;
  const std::uint64_t* counter = fits ? first_counter(all, p.count) : nullptr;
  begin_turn();
  const std::uint64_t epoch = *p.epoch + 1;
  const std::uint64_t seen = counter != nullptr ? device_detail::load_acquire(counter) : 0;
  __syncthreads();
  if (gridDim.x == 1 && threadIdx.x == 0) *p.epoch = epoch;
  const auto* steps = all + (epoch & (p.turns - 1)) * p.count;
  const gpu_team team(p, guard, epoch, counter, seen);
  bool alive = true;
  const int at_once = sliced ? most_kept : p.count;
  for (int i = 0; i < p.count && alive; i += at_once) {
    const int n = min(at_once, p.count - i);
    const auto* some = sliced ? slices_of<T>(p, steps + i, n, kept) : steps;
    alive = run_steps<T>(team, some, n, epoch, op);
  }
  alive = team.end(alive);
  // Every thread has read the epoch: the last barrier of the command list is behind them.
  if (gridDim.x > 1 && alive && blockIdx.x == 0 && threadIdx.x == 0) *p.epoch = epoch;
}

}  // namespace

void run(element_type type, reduction op, const command_list& what, const device_guard& guard,
         const stream& on) {
  with_type(type, [&]<class T>(T) {
    launch_early(command_kernel<T>, what.blocks, what.threads, on, what, guard, op);
  });
}

}  // namespace gossamer::collective_gpu
