// cg_engine: one rank's vectors and the passes over them. The interface an executor implements.
//
// The vectors are those of vectors.hpp; the extended vector is a window. Calls are ordered as
// given; those that return a number wait for it. Sums are taken in a fixed order: a run repeats bit
// for bit on the same number of ranks and threads.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "algorithm/cg/layout.hpp"
#include "algorithm/cg/single_kernel/single_kernel.hpp"
#include "algorithm/cg/vectors.hpp"
#include "gossamer/fabric/rank.hpp"

namespace gossamer::cg_detail {

/// Two sums of one pass.
struct dot_pair {
  double rz = 0;  ///< r'z
  double rr = 0;  ///< r'r
};

class cg_engine {
 public:
  virtual ~cg_engine() = default;
  // --- functions for executors to implement -----------------------------------------------------
  /// A run begins: takes vectors from the rank's arena (engine_bytes), x := x0 (empty = 0),
  /// r := b (own rows of both).
  virtual void begin(rank& r, const window<double>& extended, std::span<const double> b,
                     std::span<const double> x0) = 0;
  /// Copies x into the own part of the extended vector: the exchange before the first residual.
  virtual void expose_solution() = 0;
  /// q := A * extended.
  virtual void multiply() = 0;
  /// The same, and p'q of the own rows in the same pass.
  virtual double multiply_and_dot() = 0;
  /// a'b over the own rows.
  virtual double dot(vector_name a, vector_name b) = 0;
  /// b := b + alpha * a.
  virtual void axpy(double alpha, vector_name a, vector_name b) = 0;
  /// z := D^-1 r when preconditioned, else nothing (z is r).
  virtual void precondition() = 0;
  /// p := z + beta * p.
  virtual void direct(double beta) = 0;
  /// x += alpha * p, r -= alpha * q, z := D^-1 r, and both sums, in one pass.
  virtual dot_pair update(double alpha) = 0;
  /// Gathers the entries `message` wants from p into `into` (native memory).
  virtual void pack(std::span<const std::int32_t> entries, std::span<double> into) = 0;
  /// Takes what the loop in one kernel needs (single_kernel.hpp). Collective, after begin();
  /// usage_error on CPU ranks.
  virtual void prepare_single_kernel(const layout& l, bool jacobi) = 0;
  /// The loop from the first residual on, until state.done.
  virtual void run_single_kernel(single_kernel_state& state) = 0;
  /// best := x - alpha * p: the iterate before the last update.
  virtual void keep_previous(double alpha) = 0;
  /// Own rows of x (or of the kept iterate) into host memory.
  virtual void download(std::span<double> into, bool kept) = 0;
};

std::unique_ptr<cg_engine> make_cpu_engine(const local_matrix& part, const device& on);
/// Uploads the matrix. `libraries`: SpMV, dot products and axpy by cuSPARSE and cuBLAS. In
/// src/algorithm/cg/cuda, else absent: not_compiled.
std::unique_ptr<cg_engine> make_cuda_engine(const local_matrix& part, const device& on,
                                            bool libraries);
/// How to build what GPUs need where it is missing; else empty.
std::string lacks_gpu_engines();

}  // namespace gossamer::cg_detail
