// The iteration of one rank: what is computed, agreed and exchanged, in which order.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <string>

#include "algorithm/cg/engine.hpp"
#include "algorithm/cg/vector_exchange.hpp"
#include "gossamer/collective/scalar.hpp"

namespace gossamer::cg_detail {

/// A sum of squares of which so many digits are lost that no residual can be compared with it.
inline bool underflows(double squares) {
  return squares < std::numeric_limits<double>::min();
}

/// Where the time of an iteration goes, in paper E's terms.
enum class operation { spmv, dot, axpy, exchange, allreduce };
inline constexpr std::size_t operations = 5;

/// What one rank brings back; everything but the times is the same on all ranks.
struct outcome {
  std::int64_t iterations = 0;
  bool converged = false;
  bool kept = false;  ///< the solution is the kept iterate, not the last
  double residual = 0, right_side_norm = 0;
  std::int64_t negative_curvature = -1;  ///< iteration that met it; -1 = none did
  double curvature = 0;
  std::int64_t not_finite = -1;  ///< iteration whose sums were not finite
  double seconds = 0;
  std::array<double, operations> times{};
};

/// fused: three passes; published: paper E's operations one by one; single_kernel: all of the loop
/// on the device.
enum class method { fused, published, single_kernel };

/// Runs the method on this rank until it converges, gives up, or has done what was asked.
outcome iterate(rank& r, cg_engine& engine, vector_exchange& exchange,
                scalar_plan<double>& agreement, const layout& l, const cg_options& options,
                bool zero_start, method how);

}  // namespace gossamer::cg_detail
