// The passes over a rank's rows, as kernels; launched by engine.cu.
//
// Sums are deterministic (block_sums.cuh). All loops are grid-stride with 64-bit indices.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "algorithm/cg/cuda/rows.cuh"
#include "algorithm/cuda/block_sums.cuh"

namespace gossamer::cg_detail::cuda {

using algorithm_detail::cuda::block_size, algorithm_detail::cuda::block_sum,
    algorithm_detail::cuda::most_blocks;

/// f(i) is added up over [0, n); one partial sum a block.
template <class F>
__global__ void __launch_bounds__(block_size) sum_kernel(std::int64_t n, F f, double* partial) {
  double sum = 0;
  const std::int64_t step = std::int64_t{gridDim.x} * block_size;
  for (std::int64_t i = std::int64_t{blockIdx.x} * block_size + threadIdx.x; i < n; i += step)
    sum += f(i);
  sum = block_sum(sum);
  if (threadIdx.x == 0) partial[blockIdx.x] = sum;
}

/// q = A v. With `dot`, also partial sums of p'q.
template <class Rows>
__global__ void __launch_bounds__(block_size)
    multiply_kernel(device_rows matrix, const double* vector, const double* p, double* q, bool dot,
                    double* partial) {
  double dots = 0;
  Rows::products(
      matrix, std::int64_t{blockIdx.x} * block_size + threadIdx.x,
      std::int64_t{gridDim.x} * block_size, [&](std::int32_t c) { return vector[c]; },
      [&](std::int64_t i, double sum) {
        q[i] = sum;
        if (dot) dots += p[i] * sum;
      });
  if (!dot) return;
  dots = block_sum(dots);
  if (threadIdx.x == 0) partial[blockIdx.x] = dots;
}

/// b += alpha a.
struct add_scaled {
  double alpha;
  const double* a;
  double* b;
  __device__ void operator()(std::int64_t i) const { b[i] += alpha * a[i]; }
};
/// p = z + beta p.
struct new_direction {
  double beta;
  const double* z;
  double* p;
  __device__ void operator()(std::int64_t i) const { p[i] = z[i] + beta * p[i]; }
};
/// z = d r.
struct scale {
  const double *d, *r;
  double* z;
  __device__ void operator()(std::int64_t i) const { z[i] = d[i] * r[i]; }
};
struct gather {
  const std::int32_t* entries;
  const double* p;
  double* into;
  __device__ void operator()(std::int64_t i) const { into[i] = p[entries[i]]; }
};
/// best = x - alpha p.
struct step_back {
  double alpha;
  const double *x, *p;
  double* best;
  __device__ void operator()(std::int64_t i) const { best[i] = x[i] - alpha * p[i]; }
};
struct product {
  const double *a, *b;
  __device__ double operator()(std::int64_t i) const { return a[i] * b[i]; }
};
/// x += alpha p, r -= alpha q; gives r'r.
struct plain_update {
  double alpha;
  const double *p, *q;
  double *x, *r;
  __device__ double operator()(std::int64_t i) const {
    x[i] += alpha * p[i];
    const double residual = r[i] - alpha * q[i];
    r[i] = residual;
    return residual * residual;
  }
};

}  // namespace gossamer::cg_detail::cuda
