// The kernel of single_kernel.hpp.
#pragma once

#include <cstdint>
#include <new>

#include "algorithm/conjugate_gradient/cuda/grid_sums.cuh"
#include "algorithm/conjugate_gradient/single_kernel.hpp"

namespace gossamer::cg_detail::cuda {

/// Entries of z that another rank needs.
struct z_message {
  double* to[2];                ///< in the peer's two vectors
  const std::int32_t* entries;  ///< own indices; null = all own rows in order
  std::int64_t count;
};

struct single_kernel_work {
  std::int64_t rows, own, extended;  ///< own entries begin at `own` in extended vectors
  const std::int64_t* offsets;
  const std::int32_t* columns;
  const double* values;
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

template <int Lanes>
class cg_loop {
 public:
  __device__ explicit cg_loop(const single_kernel_work& w)
      : w_(w), s_(*w.state), sums_(w.sums, w.guard, s_.sums) {}

  __device__ void run(scalar_caller<double>* across) {
    across_ = across;
    bool alive = s_.started != 0 || start();
    for (std::int64_t i = 0; alive && !finished() && i < w_.iterations; ++i) alive = step();
    if (blockIdx.x != 0 || threadIdx.x != 0) return;
    s_.sums = sums_.count();
    *w_.state = s_;
  }

 private:
  [[nodiscard]] __device__ static std::int64_t thread() {
    return std::int64_t{blockIdx.x} * loop_threads + threadIdx.x;
  }
  [[nodiscard]] __device__ static std::int64_t threads() {
    return std::int64_t{gridDim.x} * loop_threads;
  }

  /// z of the first residual, which lies in r[0], and its sums.
  __device__ bool start() {
    s_.started = 1;
    if (!update(0, true)) return false;
    s_.residual = s_.best = s_.previous = sqrt(s_.rr);
    return true;
  }
  __device__ bool finished() {
    if (s_.done != 0) return true;
    if (!isfinite(s_.rr) || !isfinite(s_.rz)) s_.not_finite = s_.iterations;
    if (s_.not_finite >= 0 || s_.residual <= s_.goal || s_.iterations >= s_.most) s_.done = 1;
    return s_.done != 0;
  }
  __device__ bool step() {
    double curvature[1];
    multiply(curvature[0]);
    if (!sums_.all(curvature, across_)) return false;
    // Where r is exactly zero there is no direction left, and nothing to divide by.
    const bool still = s_.goal < 0 && s_.rz == 0;
    if (!still && !(curvature[0] > 0)) {
      (isfinite(curvature[0]) ? s_.negative_curvature : s_.not_finite) = s_.iterations;
      s_.curvature = curvature[0];
      s_.done = 1;
      return true;
    }
    const double alpha = still ? 0 : s_.rz / curvature[0], before = s_.rz;
    if (!update(alpha, false)) return false;
    s_.beta = still ? 0 : s_.rz / before;
    ++s_.iterations;
    s_.residual = sqrt(s_.rr);
    if (s_.goal >= 0) keep_best(alpha);
    return true;
  }

  /// q = A p and p for p = z + beta p_old; `dot` is this thread's part of p'q.
  __device__ void multiply(double& dot) {
    const double* z = w_.z[s_.r_now];
    const double* before = w_.p[s_.p_now];
    s_.p_now ^= 1;
    double* p = w_.p[s_.p_now];
    const double beta = s_.beta;
    for (std::int64_t i = thread(); i < w_.extended - w_.rows; i += threads()) {
      const std::int64_t at = i < w_.own ? i : i + w_.rows;
      p[at] = z[at] + beta * before[at];
    }
    const int lane = threadIdx.x % Lanes;
    const unsigned base = (threadIdx.x % 32) / Lanes * Lanes;
    const unsigned group = Lanes == 32 ? 0xffffffffu : ((1u << (Lanes % 32)) - 1) << base;
    dot = 0;
    for (std::int64_t i = thread() / Lanes; i < w_.rows; i += threads() / Lanes) {
      double sum = 0;
      const std::int64_t last = w_.offsets[i + 1];
      for (std::int64_t k = w_.offsets[i] + lane; k < last; k += Lanes) {
        const std::int32_t c = w_.columns[k];
        sum += w_.values[k] * (z[c] + beta * before[c]);
      }
      for (int half = Lanes / 2; half > 0; half /= 2)
        sum += __shfl_down_sync(group, sum, half, Lanes);
      if (lane != 0) continue;
      const std::int64_t at = w_.own + i;
      const double mine = z[at] + beta * before[at];
      p[at] = mine;
      w_.q[i] = sum;
      dot += mine * sum;
    }
  }

  /// The new residual of own row i, and z of it. The first time r is there already.
  [[nodiscard]] __device__ double residual_of(const double* before, std::int64_t i, double alpha,
                                              bool first) const {
    return first ? before[i] : before[i] - alpha * w_.q[i];
  }
  [[nodiscard]] __device__ double z_of(double residual, std::int64_t i) const {
    return w_.preconditioned ? w_.inverse[i] * residual : residual;
  }
  __device__ bool update(double alpha, bool first) {
    const double* p = w_.p[s_.p_now] + w_.own;
    const double* before = w_.r[s_.r_now];
    s_.r_now ^= 1;
    double* r = w_.r[s_.r_now];
    double* z = w_.z[s_.r_now] + w_.own;
    double both[2] = {0, 0};
    // Others first: their entries are on the way while the rest is computed.
    for (int m = 0; m < w_.message_count; ++m) {
      const z_message& message = w_.messages[m];
      double* to = message.to[s_.r_now];
      for (std::int64_t k = thread(); k < message.count; k += threads()) {
        const std::int64_t i = message.entries != nullptr ? message.entries[k] : k;
        to[k] = z_of(residual_of(before, i, alpha, first), i);
      }
    }
    for (std::int64_t i = thread(); i < w_.rows; i += threads()) {
      if (!first) w_.x[i] += alpha * p[i];
      const double residual = residual_of(before, i, alpha, first), scaled = z_of(residual, i);
      r[i] = residual;
      if (w_.preconditioned) z[i] = scaled;
      both[0] += residual * scaled;
      both[1] += residual * residual;
    }
    if (w_.preconditioned) {
      if (!sums_.all(both, across_)) return false;
    } else {
      double one[1] = {both[0]};
      if (!sums_.all(one, across_)) return false;
      both[0] = both[1] = one[0];
    }
    s_.rz = both[0];
    s_.rr = both[1];
    return true;
  }

  /// As in iteration.cpp: the iterate before the first growth after a new minimum is the best.
  __device__ void keep_best(double alpha) {
    if (s_.residual > s_.previous && s_.previous <= s_.best) {
      const double* p = w_.p[s_.p_now] + w_.own;
      for (std::int64_t i = thread(); i < w_.rows; i += threads())
        w_.best[i] = w_.x[i] - alpha * p[i];
      s_.best = s_.previous;
      s_.kept = 1;
    } else if (s_.residual < s_.best) {
      s_.best = s_.residual;
      s_.kept = 0;
    }
    s_.previous = s_.residual;
  }

  const single_kernel_work& w_;
  single_kernel_state s_;
  grid_sums sums_;
  scalar_caller<double>* across_ = nullptr;
};

template <int Lanes>
__global__ void __launch_bounds__(loop_threads, 2)
    cg_kernel(const __grid_constant__ single_kernel_work w) {
  // One call site for all threads, because the loop has barriers of the block.
  alignas(scalar_caller<double>) unsigned char room[sizeof(scalar_caller<double>)];
  scalar_caller<double>* across = nullptr;
  if (w.guard.ranks > 1 && blockIdx.x == 0 && threadIdx.x < 32)
    across = new (room) scalar_caller<double>(w.across);
  cg_loop<Lanes>(w).run(across);
  if (across != nullptr) across->~scalar_caller<double>();
}

}  // namespace gossamer::cg_detail::cuda
