// One kernel launch per epoch of a plan: the team is one block, or a grid whose blocks all run at
// once (few enough for that; every wait has a deadline should they not).
//
// One block: the program lies in shared memory, loaded in one go, so that a step costs no trip to
// global memory to learn what to do. Several: a signal is raised by the last block to arrive at it,
// which costs the others nothing, and only `settled` steps wait for the whole grid.
#include <cuda_runtime.h>

#include <cstdint>

#include "collective/program.hpp"
#include "gossamer/base/check_cuda.hpp"
#include "gossamer/fabric/window_device.cuh"

namespace gossamer::collective_gpu {

namespace {

constexpr int block_threads = 512;
constexpr int shared_steps = 96;  // of one epoch; longer programs are read from global memory

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

  __device__ void raise(const program_step& s, int step, std::uint64_t epoch) const {
    __syncthreads();
    if (threadIdx.x == 0 && last_to_arrive(step)) device_detail::store_release(s.counter, epoch);
  }
  /// One thread of a block; acquires and releases for all blocks, at system scope because what they
  /// wrote may lie in a peer's memory.
  __device__ bool last_to_arrive(int step) const {
    if (gridDim.x == 1) return true;
    auto& count = program_.arrivals[parity_ * (program_.count + 1) + step];
    cuda::atomic_ref<std::uint32_t, cuda::thread_scope_system> arrived(count);
    return (arrived.fetch_add(1, cuda::memory_order_acq_rel) + 1) % gridDim.x == 0;
  }

  __device__ bool await(const program_step& s, std::uint64_t value) const {
    bool alive = true;
    if (threadIdx.x == 0) {
      device_wait_bound bound(guard_, s.peer);
      while (true) {
        const auto seen = device_detail::load_acquire(s.counter);
        if (seen >= value) break;
        if (!bound.expired()) continue;
        bound.give_up(program_.signals, static_cast<std::uint64_t>(s.signal), value, seen);
        alive = false;
        break;
      }
    }
    return __syncthreads_and(alive) != 0;
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

 private:
  const program& program_;
  const device_guard& guard_;
  int parity_;
};

/// The steps of this epoch, in shared memory where they fit. All threads of the block call.
__device__ const program_step* load_steps(const program& p, std::uint64_t epoch) {
  using word = std::uint64_t;
  static_assert(sizeof(program_step) % sizeof(word) == 0);
  constexpr int words = sizeof(program_step) / sizeof(word);
  __shared__ word kept[shared_steps * words];
  const program_step* all = p.steps + (epoch & 1) * static_cast<std::size_t>(p.count);
  if (p.count > shared_steps) return all;
  for (int i = threadIdx.x; i < p.count * words; i += blockDim.x)
    kept[i] = reinterpret_cast<const word*>(all)[i];
  __syncthreads();
  return reinterpret_cast<const program_step*>(kept);
}

template <class T>
__global__ void __launch_bounds__(block_threads)
    program_kernel(program p, device_guard guard, reduction op) {
  const std::uint64_t epoch = *p.epoch + 1;
  const program_step* steps = load_steps(p, epoch);
  const gpu_team team(p, guard, epoch);
  const bool alive = run_program<T>(team, steps, p.count, epoch, op);
  // Every thread has read the epoch: the last barrier of the program is behind them.
  if (alive && team.index() == 0) *p.epoch = epoch;
}

template <class T>
void launch(reduction op, const program& what, const device_guard& guard, const stream& on) {
  program_kernel<T>
      <<<what.blocks, block_threads, 0, static_cast<cudaStream_t>(on.native())>>>(what, guard, op);
  GOSSAMER_CHECK_CUDA(cudaGetLastError());
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
