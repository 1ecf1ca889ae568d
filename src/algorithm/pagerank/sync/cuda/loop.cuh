// The iteration as one kernel a rank: no host between iterations.
//
// An iteration is the pull and one agreement. The pull's offers go straight into the memories of
// the ranks that want them. The agreement is on the change and on what dangling vertices have
// (grid_sums.cuh). It is the barrier, too: after it everybody has pulled from one buffer, and the
// other one is full. Where rows are split, a barrier of the rank's own blocks comes between their
// chunks and their ends. The kernel ends after so many iterations that a cancelled run ends soon.
#pragma once

#include <cstdint>
#include <new>

#include "algorithm/cuda/grid_sums.cuh"
#include "algorithm/pagerank/sync/cuda/pull.cuh"
#include "gossamer/fabric/barrier_device.cuh"

namespace gossamer::pagerank_detail::cuda {

using algorithm_detail::cuda::grid_sums, algorithm_detail::cuda::grid_sums_memory;

inline constexpr int loop_threads = 1024;  ///< of a block, one a multiprocessor: one copy of hubs

/// What the kernel keeps between launches, in device memory; the host reads it after each.
struct loop_state {
  double change = 0, dangling = 0, tolerance = 0;
  std::int64_t iterations = 0, most = 0;
  std::int32_t started = 0, done = 0;
  std::uint32_t sums = 0;  ///< agreements so far
};

template <class Value>
struct loop_work {
  pull_work<Value> pull;
  std::int64_t iterations;  ///< of this launch, at most; on every rank alike
  loop_state* state;
  std::uint32_t* barrier;  ///< [2], zeroed once
  grid_sums_memory sums;
  device_scalar<double> across;
  device_guard guard;
};

template <class Value, bool Weighted>
class pull_loop {
 public:
  __device__ pull_loop(const loop_work<Value>& w, loop_state& s, scalar_caller<double>* across)
      : w_(w), s_(s), sums_(w.sums, w.guard, s.sums), across_(across) {}

  __device__ void run() {
    sums_.iterate(
        w_, s_, [&] { return start(); }, [&] { return step(); });
  }

 private:
  /// Both sums of all ranks, and what thread 0 makes of them before anyone goes on.
  template <class F>
  __device__ bool agree(const pull_pass<Value, Weighted>& pass, F decide) {
    double sums[2] = {pass.change, pass.dangling};
    if (!sums_.all(sums, across_, w_.guard.ranks > 1)) return false;
    if (threadIdx.x == 0) {
      s_.dangling = sums[1];
      decide(sums[0]);
    }
    __syncthreads();
    return true;
  }
  /// What the start offers is read by iteration 0.
  __device__ bool start() {
    pull_pass<Value, Weighted> pass(w_.pull, 1, 0);
    pass.begin(sums_.thread(), sums_.threads());
    return agree(pass, [&](double) {
      s_.started = 1;
      s_.done = s_.most == 0 ? 1 : 0;
    });
  }
  __device__ bool step() {
    extern __shared__ std::uint64_t hubs[];
    pull_pass<Value, Weighted> pass(w_.pull, static_cast<int>(s_.iterations & 1), s_.dangling,
                                    reinterpret_cast<Value*>(hubs));
    pass.take_hubs();
    pass.rows(sums_.thread() / 32, sums_.threads() / 32);
    if (w_.pull.class_end[split] > 0) {
      if (!grid_barrier(w_.guard, w_.barrier, gridDim.x)) return false;
      pass.split_rows(sums_.thread() / 32, sums_.threads() / 32);
    }
    return agree(pass, [&](double change) {
      s_.change = change;
      ++s_.iterations;
      s_.done = change <= s_.tolerance || s_.iterations >= s_.most ? 1 : 0;
    });
  }

  const loop_work<Value>& w_;
  loop_state& s_;
  grid_sums<loop_threads> sums_;
  scalar_caller<double>* across_;
};

template <class Value, bool Weighted>
__global__ void __launch_bounds__(loop_threads, 1)
    loop_kernel(const __grid_constant__ loop_work<Value> w) {
  alignas(loop_state) __shared__ unsigned char shared[sizeof(loop_state)];
  if (threadIdx.x == 0) new (shared) loop_state(*w.state);
  __syncthreads();
  auto& state = *reinterpret_cast<loop_state*>(shared);
  alignas(scalar_caller<double>) unsigned char room[sizeof(scalar_caller<double>)];
  scalar_caller<double>* across = nullptr;
  if (w.guard.ranks > 1 && blockIdx.x == 0 && threadIdx.x < 32)
    across = new (room) scalar_caller<double>(w.across);
  pull_loop<Value, Weighted>(w, state, across).run();
  if (across != nullptr) across->~scalar_caller<double>();
}

}  // namespace gossamer::pagerank_detail::cuda
