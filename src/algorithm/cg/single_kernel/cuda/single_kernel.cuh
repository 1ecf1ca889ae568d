// The kernel of single_kernel.hpp.
#pragma once

#include <cstdint>
#include <new>

#include "algorithm/cg/cuda/rows.cuh"
#include "algorithm/cg/single_kernel/single_kernel.hpp"
#include "algorithm/cuda/grid_sums.cuh"

namespace gossamer::cg_detail::cuda {

using algorithm_detail::cuda::grid_sums, algorithm_detail::cuda::grid_sums_memory;

inline constexpr int loop_threads = 512;  ///< of a block; two run at once

/// Entries of z that another rank needs.
struct z_message {
  double* to[2];                ///< in the peer's two vectors
  const std::int32_t* entries;  ///< own indices; null = all own rows in order
  std::int64_t count;
};

struct single_kernel_work {
  device_rows matrix;
  std::int64_t own, extended;  ///< own entries begin at `own` in extended vectors
  const double* inverse;
  bool preconditioned;  ///< on every rank alike, also one without rows; else r is z
  double *x, *q, *best;
  double* p[2];  ///< extended
  double* z[2];  ///< extended
  double* r[2];  ///< own rows; without a preconditioner those of z
  const z_message* messages;
  int message_count;
  std::int64_t iterations;  ///< of this launch, at most
  single_kernel_state* state;
  grid_sums_memory sums;
  device_scalar<double> across;
  device_guard guard;
};

/// What a block knows of the iteration, in shared memory: thread 0 decides, all read.
struct block_state : single_kernel_state {
  double alpha, rz_before;
  bool still;       ///< the residual is exactly zero: nothing left to divide by
  bool keeps_best;  ///< the iterate before this update was the best so far
};

template <class Rows>
class cg_loop {
 public:
  __device__ cg_loop(const single_kernel_work& w, block_state& s, scalar_caller<double>* across)
      : w_(w), s_(s), sums_(w.sums, w.guard, s.sums), across_(across) {}

  __device__ void run() {
    sums_.iterate(
        w_, s_, [&] { return start(); }, [&] { return step(); });
  }

 private:
  /// After a sum, whose end nobody passes before all have read what f changes.
  template <class F>
  __device__ void decide(F f) {
    if (threadIdx.x == 0) f();
    __syncthreads();
  }

  /// z of the first residual, which lies in r[0], and its sums.
  __device__ bool start() {
    double sums[2];
    if (!update(0, true, sums)) return false;
    decide([&] {
      s_.started = 1;
      settle(sums);
      s_.best = s_.previous = s_.residual;
      check();
    });
    return true;
  }
  __device__ bool step() {
    double curvature[1];
    multiply(curvature[0]);
    if (!sums_.all(curvature, across_, false)) return false;
    decide([&] {
      s_.p_now ^= 1;
      s_.still = s_.goal < 0 && s_.rz == 0;
      if (!s_.still && !(curvature[0] > 0)) {
        (isfinite(curvature[0]) ? s_.negative_curvature : s_.not_finite) = s_.iterations;
        s_.curvature = curvature[0];
        s_.done = 1;
      }
      s_.alpha = s_.still ? 0 : s_.rz / curvature[0];
      s_.rz_before = s_.rz;
    });
    if (s_.done != 0) return true;
    const double alpha = s_.alpha;
    double sums[2];
    if (!update(alpha, false, sums)) return false;
    decide([&] {
      settle(sums);
      s_.beta = s_.still ? 0 : s_.rz / s_.rz_before;
      ++s_.iterations;
      if (s_.goal >= 0) track_best();
      check();
    });
    if (s_.goal >= 0 && s_.keeps_best) keep_best(alpha);
    return true;
  }

  // --- by thread 0 -------------------------------------------------------------------------------

  __device__ void settle(const double (&sums)[2]) {
    s_.r_now ^= 1;
    s_.rz = sums[0];
    s_.rr = sums[1];
    s_.residual = sqrt(s_.rr);
  }
  __device__ void check() {
    if (!isfinite(s_.rr) || !isfinite(s_.rz)) s_.not_finite = s_.iterations;
    if (s_.not_finite >= 0 || s_.residual <= s_.goal || s_.iterations >= s_.most) s_.done = 1;
  }
  /// As in iteration.cpp: the iterate before the first growth after a new minimum is the best.
  __device__ void track_best() {
    s_.keeps_best = s_.residual > s_.previous && s_.previous <= s_.best;
    if (s_.keeps_best) {
      s_.best = s_.previous;
      s_.kept = 1;
    } else if (s_.residual < s_.best) {
      s_.best = s_.residual;
      s_.kept = 0;
    }
    s_.previous = s_.residual;
  }

  // --- by all ------------------------------------------------------------------------------------

  /// q = A p and p for p = z + beta p_old; `dot` is this thread's part of p'q.
  __device__ void multiply(double& dot) {
    const double* z = w_.z[s_.r_now];
    const double* before = w_.p[s_.p_now];
    double* p = w_.p[s_.p_now ^ 1];
    const double beta = s_.beta;
    for (std::int64_t i = sums_.thread(); i < w_.extended - w_.matrix.rows; i += sums_.threads()) {
      const std::int64_t at = i < w_.own ? i : i + w_.matrix.rows;
      p[at] = z[at] + beta * before[at];
    }
    double mine = 0;
    Rows::products(
        w_.matrix, sums_.thread(), sums_.threads(),
        [&](std::int32_t c) { return z[c] + beta * before[c]; },
        [&](std::int64_t i, double sum) {
          const std::int64_t at = w_.own + i;
          const double direction = z[at] + beta * before[at];
          p[at] = direction;
          w_.q[i] = sum;
          mine += direction * sum;
        });
    dot = mine;
  }

  /// The new residual of own row i, and z of it. The first time r is there already.
  [[nodiscard]] __device__ double residual_of(const double* before, std::int64_t i, double alpha,
                                              bool first) const {
    return first ? before[i] : before[i] - alpha * w_.q[i];
  }
  [[nodiscard]] __device__ double z_of(double residual, std::int64_t i) const {
    return w_.preconditioned ? w_.inverse[i] * residual : residual;
  }
  /// sums := r'z and r'r of all ranks.
  __device__ bool update(double alpha, bool first, double (&sums)[2]) {
    const double* p = w_.p[s_.p_now] + w_.own;
    const double* before = w_.r[s_.r_now];
    const int next = s_.r_now ^ 1;
    double* r = w_.r[next];
    double* z = w_.z[next] + w_.own;
    // Others first: their entries are on the way while the rest is computed.
    for (int m = 0; m < w_.message_count; ++m) {
      const z_message& message = w_.messages[m];
      double* to = message.to[next];
      for (std::int64_t k = sums_.thread(); k < message.count; k += sums_.threads()) {
        const std::int64_t i = message.entries != nullptr ? message.entries[k] : k;
        to[k] = z_of(residual_of(before, i, alpha, first), i);
      }
    }
    double rz = 0, rr = 0;
    for (std::int64_t i = sums_.thread(); i < w_.matrix.rows; i += sums_.threads()) {
      if (!first) w_.x[i] += alpha * p[i];
      const double residual = residual_of(before, i, alpha, first), scaled = z_of(residual, i);
      r[i] = residual;
      if (w_.preconditioned) z[i] = scaled;
      rz += residual * scaled;
      rr += residual * residual;
    }
    sums[0] = rz;
    sums[1] = rr;
    if (w_.preconditioned) return sums_.all(sums, across_, true);
    double one[1] = {rz};
    const bool alive = sums_.all(one, across_, true);
    sums[0] = sums[1] = one[0];
    return alive;
  }

  __device__ void keep_best(double alpha) {
    const double* p = w_.p[s_.p_now] + w_.own;
    for (std::int64_t i = sums_.thread(); i < w_.matrix.rows; i += sums_.threads())
      w_.best[i] = w_.x[i] - alpha * p[i];
  }

  const single_kernel_work& w_;
  block_state& s_;
  grid_sums<loop_threads> sums_;
  scalar_caller<double>* across_;
};

template <class Rows>
__global__ void __launch_bounds__(loop_threads, 2)
    cg_kernel(const __grid_constant__ single_kernel_work w) {
  alignas(block_state) __shared__ unsigned char shared[sizeof(block_state)];
  if (threadIdx.x == 0) new (shared) block_state{*w.state, 0, 0, false, false};
  __syncthreads();
  auto& state = *reinterpret_cast<block_state*>(shared);
  // One call site for all threads, because the loop has barriers of the block.
  alignas(scalar_caller<double>) unsigned char room[sizeof(scalar_caller<double>)];
  scalar_caller<double>* across = nullptr;
  if (w.guard.ranks > 1 && blockIdx.x == 0 && threadIdx.x < 32)
    across = new (room) scalar_caller<double>(w.across);
  cg_loop<Rows>(w, state, across).run();
  if (across != nullptr) across->~scalar_caller<double>();
}

}  // namespace gossamer::cg_detail::cuda
