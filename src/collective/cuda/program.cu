// One kernel launch per epoch of a plan: the team is one block, or a grid whose blocks all run at
// once (few enough for that; every wait has a deadline should they not).
//
// The program lies in shared memory, of both parities because the epoch comes from memory in the
// same trip, so that a step costs none to learn what to do. The next kernel of the stream may start
// while this one runs (programmatic dependent launch): a plan that follows a plan has its program
// loaded when its turn comes, and waits there until this kernel is complete.
//
// Several blocks: a signal is raised by the last block to arrive at it, which costs the others
// nothing, and only `settled` steps wait for the whole grid.
#include <cuda_runtime.h>

#include <cstdint>

#include "collective/program.hpp"
#include "gossamer/base/check_cuda.hpp"
#include "gossamer/fabric/window_device.cuh"

namespace gossamer::collective_gpu {

namespace {

constexpr int shared_steps = 96;  // of both parities; longer programs are read from global memory

class gpu_team {
 public:
  __device__ gpu_team(const program& p, const device_guard& guard, std::uint64_t epoch)
      : program_(p), guard_(guard), parity_(epoch & 1) {}
  __device__ std::size_t index() const { return blockIdx.x * blockDim.x + threadIdx.x; }
  __device__ std::size_t size() const { return static_cast<std::size_t>(gridDim.x) * blockDim.x; }
  /// Another warp first for each step.
  __device__ std::size_t spread(int step) const {
    return (index() + static_cast<std::size_t>(step) * 32) % size();
  }

  __device__ bool sync(bool alive) const {
    alive = __syncthreads_and(alive) != 0;
    if (gridDim.x == 1 || !alive) return alive;
    return grid_barrier(guard_, program_.barrier);
  }

  __device__ void raise(const program_step& s, int step, std::uint64_t value) const {
    if (s.lag != 0) {  // about a kernel that is complete
      if (index() == step % blockDim.x) device_detail::store_relaxed(s.counter, value);
      return;
    }
    __syncthreads();
    if (threadIdx.x == 0 && last_to_arrive(step)) device_detail::store_release(s.counter, value);
  }
  /// One thread of a block; acquires and releases for all blocks, at system scope because what they
  /// wrote may lie in a peer's memory.
  __device__ bool last_to_arrive(int step) const {
    if (gridDim.x == 1) return true;
    auto& count = program_.arrivals[parity_ * (program_.count + 1) + step];
    cuda::atomic_ref<std::uint32_t, cuda::thread_scope_system> arrived(count);
    return (arrived.fetch_add(1, cuda::memory_order_acq_rel) + 1) % gridDim.x == 0;
  }

  /// A thread each.
  __device__ bool await(const program_step* s, int n, std::uint64_t epoch) const {
    bool alive = true;
    for (int i = threadIdx.x; i < n; i += blockDim.x)
      alive = await_one(s[i], awaited(s[i], epoch)) && alive;
    return __syncthreads_and(alive) != 0;
  }
  __device__ bool await_one(const program_step& s, std::uint64_t value) const {
    device_wait_bound bound(guard_, s.peer);
    while (true) {
      const auto seen = device_detail::load_acquire(s.counter);
      if (seen >= value) return true;
      if (!bound.expired()) continue;
      bound.give_up(program_.signals, static_cast<std::uint64_t>(s.signal), value, seen);
      return false;
    }
  }

  __device__ void store_word(const program_step& s, std::size_t j, std::uint64_t word) const {
    device_detail::store_relaxed(s.words + j, word);
  }
  __device__ bool load_word(const program_step& s, std::size_t j, std::uint64_t tag,
                            std::uint64_t& word) const {
    device_wait_bound bound(guard_, s.peer);
    while (true) {
      word = device_detail::load_relaxed(s.words + j);
      if (static_cast<std::int64_t>(word - tag) >= 0) return true;
      if (!bound.expired()) continue;
      bound.give_up(program_.inbox, j, tag, word);
      return false;
    }
  }
  /// All `N` at once, those that are not there yet again; null = none. Which one was missing is
  /// told by its index in the inbox.
  template <int N>
  __device__ bool load_words(const program_step& s, const std::uint64_t* const (&at)[N],
                             std::uint64_t (&words)[N], std::uint64_t tag) const {
    device_wait_bound bound(guard_, s.peer);
    while (true) {
      bool all = true;
#pragma unroll
      for (int j = 0; j < N; ++j) words[j] = at[j] ? device_detail::load_relaxed(at[j]) : tag;
#pragma unroll
      for (int j = 0; j < N; ++j) all = all && static_cast<std::int64_t>(words[j] - tag) >= 0;
      if (all) return true;
      if (!bound.expired()) continue;
      for (int j = 0; j < N; ++j)
        if (at[j] && static_cast<std::int64_t>(words[j] - tag) < 0) {
          bound.give_up(program_.inbox, at[j] - s.words, tag, words[j]);
          break;
        }
      return false;
    }
  }

 private:
  const program& program_;
  const device_guard& guard_;
  int parity_;
};

using word = std::uint64_t;
static_assert(sizeof(program_step) % sizeof(word) == 0);
constexpr int step_words = sizeof(program_step) / sizeof(word);

template <class T>
__global__ void __launch_bounds__(512) program_kernel(program p, device_guard guard, reduction op) {
  __shared__ word kept[shared_steps * step_words];
  const bool fits = 2 * p.count <= shared_steps;
  for (int i = threadIdx.x; fits && i < 2 * p.count * step_words; i += blockDim.x)
    kept[i] = reinterpret_cast<const word*>(p.steps)[i];
  cudaGridDependencySynchronize();
  // Only now, so that no more than one kernel waits beside the one that runs.
  cudaTriggerProgrammaticLaunchCompletion();
  const std::uint64_t epoch = *p.epoch + 1;
  __syncthreads();
  const auto* both = fits ? reinterpret_cast<const program_step*>(kept) : p.steps;
  const gpu_team team(p, guard, epoch);
  const bool alive = run_program<T>(team, both + (epoch & 1) * p.count, p.count, epoch, op);
  // Every thread has read the epoch: the last barrier of the program is behind them.
  if (alive && team.index() == 0) *p.epoch = epoch;
}

template <class T>
void launch(reduction op, const program& what, const device_guard& guard, const stream& on) {
  cudaLaunchAttribute early{};
  early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  early.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t how{};
  how.gridDim = dim3(static_cast<unsigned>(what.blocks));
  how.blockDim = dim3(static_cast<unsigned>(what.threads));
  how.stream = static_cast<cudaStream_t>(on.native());
  how.attrs = &early;
  how.numAttrs = 1;
  GOSSAMER_CHECK_CUDA(cudaLaunchKernelEx(&how, program_kernel<T>, what, guard, op));
}

template <class T>
void load() {
  cudaFuncAttributes attributes;
  GOSSAMER_CHECK_CUDA(cudaFuncGetAttributes(&attributes, program_kernel<T>));
}

}  // namespace

void prepare_program() {
  load<std::int32_t>();
  load<std::uint32_t>();
  load<std::int64_t>();
  load<std::uint64_t>();
  load<float>();
  load<double>();
}

void run(element_type type, reduction op, const program& what, const device_guard& guard,
         const stream& on) {
  switch (type) {
    case element_type::int32:
      return launch<std::int32_t>(op, what, guard, on);
    case element_type::uint32:
    case element_type::other:  // no step folds
      return launch<std::uint32_t>(op, what, guard, on);
    case element_type::int64:
      return launch<std::int64_t>(op, what, guard, on);
    case element_type::uint64:
      return launch<std::uint64_t>(op, what, guard, on);
    case element_type::float32:
      return launch<float>(op, what, guard, on);
    case element_type::float64:
      return launch<double>(op, what, guard, on);
  }
}

}  // namespace gossamer::collective_gpu
