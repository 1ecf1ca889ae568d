// Conjugate gradient: A x = b for a symmetric positive definite sparse matrix, over every rank.
//
// Hestenes and Stiefel's method as paper E runs it (Matsumoto et al., TCA). Rows are split over the
// ranks. Each iteration multiplies the local rows with the direction vector, and needs a few scalar
// allreduces. Of the vector a rank gets from others either all (allgather) or the entries that its
// columns touch (halo).
//
// A matrix is a graph with weights: entry (i, j) is the arc i -> j, a missing entry is zero.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "gossamer/algorithm/rank_use.hpp"
#include "gossamer/graph/csr.hpp"
#include "gossamer/placement/placed_graph.hpp"

namespace gossamer {

/// How the direction vector gets to the ranks that need it.
enum class cg_exchange : std::uint8_t {
  automatic,  ///< halo when it moves at most half of allgather's bytes
  allgather,  ///< every rank gets the whole vector
  halo,       ///< every rank gets the entries that its columns touch, planned once
};

struct cg_options {
  /// Stop when ||r|| <= max(tolerance * ||b||, absolute), in the 2-norm (SciPy's rtol and atol).
  double tolerance = 1e-5;
  double absolute = 0;
  /// Most iterations; default 10 n, SciPy's.
  std::optional<std::int64_t> most_iterations;
  /// Run exactly this many, whatever the residual: for timing. Overrides the three above.
  std::optional<std::int64_t> exactly;
  bool jacobi = false;  ///< precondition with the inverse of the diagonal
  cg_exchange exchange = cg_exchange::automatic;
  /// Which rank owns which rows, as place_options has it; auto: equal ranges, as in paper E.
  std::string partition = "auto";
  std::vector<std::int32_t> part_of;
  rank_use use = rank_use::automatic;
  /// One of these names:
  ///   auto           single_kernel where it can run, else fused
  ///   fused          three passes over the vectors and two allreduces an iteration
  ///   published      paper E's operations one by one: three dot products, three vector updates,
  ///                  three allreduces
  ///   library        the same by cuSPARSE and cuBLAS; GPUs
  ///   single_kernel  the loop as one kernel a rank, without the host; GPUs that address each other
  ///                  and run their ranks' kernels together
  std::string engine = "auto";
  std::int64_t memory = 0;  ///< bytes per device, 0 = configuration / device
  run_options run;
};

struct cg_result {
  /// The solution, n entries. Without convergence the iterate with the smallest residual met.
  shared_array<double> x;
  std::int64_t iterations = 0;
  bool converged = false;
  double residual = 0;          ///< ||r|| as the recurrence has it, of the x returned
  double right_side_norm = 0;   ///< ||b||
  double milliseconds = 0;      ///< first residual to last update; slowest rank, set-up left out
  std::string exchange;         ///< "allgather", "halo", or "none" on one rank
  std::string exchange_reason;  ///< why, with both byte counts
  std::int64_t bytes_per_iteration = 0;  ///< direction entries received by all ranks together
  std::string engine;
  int ranks_used = 0;        ///< that worked
  std::string ranks_reason;  ///< why not all; empty when all did
  /// Seconds by operation in paper E's terms, of rank 0: "spmv", "dot", "axpy", "allgather" or
  /// "halo", "allreduce". Engine fused counts dot products in the pass that computes them. Engine
  /// single_kernel has one phase, "loop".
  std::vector<std::pair<std::string, double>> phases;
};

/// A system laid over a machine: matrix checked, split and placed once; solved for any number of
/// right-hand sides.
class cg_solver {
 public:
  /// Throws input_error when the matrix is not symmetric (entries that differ by more than 1e-12 of
  /// the larger), has a NaN or infinite entry, or a diagonal entry that is not positive;
  /// usage_error when it has no weights; capacity_error with the plan. The machine must outlive it.
  cg_solver(machine& m, const graph& matrix, const cg_options& options = {});
  ~cg_solver();
  cg_solver(cg_solver&&) noexcept;

  /// What it takes on each rank, before anything is placed.
  [[nodiscard]] static memory_plan plan(const machine& m, const graph& matrix,
                                        const cg_options& options = {});
  /// `right_side`, b: n entries; `start`, x0: n entries or empty (zeros). usage_error when sizes do
  /// not match, input_error for NaN in b or x0, and when negative curvature shows that the matrix
  /// is not positive definite (names the iteration).
  cg_result solve(std::span<const double> right_side, std::span<const double> start = {});

  /// Later runs are bounded, cancelled and traced as `how` says.
  void follow(const run_options& how);

  /// A solver as the constructor makes it, or one that an earlier call left (placement/kept.hpp);
  /// the caller's alone.
  static std::shared_ptr<cg_solver> prepare(machine& m, const graph& matrix,
                                            const cg_options& options = {});

 private:
  struct state;
  std::unique_ptr<state> state_;
};

/// What cg's verifier found.
struct cg_verification {
  bool ok = true;
  double residual = 0;  ///< ||b - A x|| with compensated sums
  double allowed = 0;   ///< what `residual` may be
  std::string reason;
};
/// Recomputes the residual from the matrix, independently of the solver. Allowed is the tolerance
/// plus what rounding can make of the recurrence: (iterations + 10) * eps * || |A| |x| + |b| ||
/// (Greenbaum, SIAM J. Matrix Anal. Appl. 18, 1997). cancelled_error within milliseconds of a
/// request to `stop`.
cg_verification verify_cg(const graph& matrix, std::span<const double> b, std::span<const double> x,
                          double tolerance, double absolute, std::int64_t iterations,
                          int threads = 0, const std::stop_token& stop = {});

}  // namespace gossamer
