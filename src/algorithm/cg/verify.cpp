// The verifier: the residual anew, from the matrix as it was given, with compensated sums.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include "gossamer/algorithm/cg.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/machine/device.hpp"
#include "gossamer/machine/executor.hpp"

namespace gossamer {

namespace {

constexpr std::int64_t stop_interval = 1024;  // rows between two looks at the stop token

/// A sum that keeps what each addition loses (Neumaier, ZAMM 54, 1974).
class compensated {
 public:
  void add(double x) {
    const double sum = sum_ + x;
    lost_ += std::abs(sum_) >= std::abs(x) ? (sum_ - sum) + x : (x - sum) + sum_;
    sum_ = sum;
  }
  [[nodiscard]] double value() const { return sum_ + lost_; }

 private:
  double sum_ = 0, lost_ = 0;
};

/// Of entries: of the residual, of what its terms' sizes add up to, of the right side.
struct squares {
  double residual = 0, size = 0, right = 0;

  void operator+=(const squares& more) {
    residual += more.residual;
    size += more.size;
    right += more.right;
  }
};

double weight(const graph& g, edge_offset k) {
  const auto at = static_cast<std::size_t>(k);
  return std::visit(
      [at](const auto& values) -> double {
        if constexpr (std::is_same_v<std::decay_t<decltype(values)>, std::monostate>)
          return 0;
        else
          return static_cast<double>(values[at]);
      },
      g.weights);
}

}  // namespace

cg_verification verify_cg(const graph& matrix, std::span<const double> b, std::span<const double> x,
                          double tolerance, double absolute, std::int64_t iterations, int threads,
                          const std::stop_token& stop) {
  const std::int64_t n = matrix.vertices();
  require(matrix.weighted(), "verify_cg: the matrix has no values");
  require(static_cast<std::int64_t>(b.size()) == n && static_cast<std::int64_t>(x.size()) == n,
          "verify_cg: b and x need one entry a row");
  if (threads == 0) threads = host().cores;
  squares all;
  matrix.visit([&](const auto& rows) {
    const auto add_row = [&](std::int64_t i, squares& of) {
      compensated sum;
      double magnitude = std::abs(b[static_cast<std::size_t>(i)]);
      sum.add(b[static_cast<std::size_t>(i)]);
      for (edge_offset k = rows.offsets[i]; k < rows.offsets[i + 1]; ++k) {
        const double term = weight(matrix, k) * x[static_cast<std::size_t>(rows.indices[k])];
        sum.add(-term);
        magnitude += std::abs(term);
      }
      of += {sum.value() * sum.value(), magnitude * magnitude,
             b[static_cast<std::size_t>(i)] * b[static_cast<std::size_t>(i)]};
    };
    const auto add_rows = [&](std::int64_t first, std::int64_t last, squares& own) {
      if (stop.stop_requested()) return;
      for (std::int64_t i = first; i < last; ++i) add_row(i, own);
    };
    all = sum_pieces<squares>({threads}, n, stop_interval, add_rows);
  });
  if (stop.stop_requested()) throw cancelled_error("verify_cg: stopped");
  cg_verification found;
  found.residual = std::sqrt(all.residual);
  found.allowed = std::fmax(tolerance * std::sqrt(all.right), absolute) +
                  (static_cast<double>(iterations) + 10) * std::numeric_limits<double>::epsilon() *
                      std::sqrt(all.size);
  // False for NaN; squares that overflow are no proof.
  found.ok = std::isfinite(found.residual) && found.residual <= found.allowed;
  constexpr double least = std::numeric_limits<double>::min();
  if (all.right < least && absolute * absolute < least &&
      std::any_of(b.begin(), b.end(), [](double value) { return value != 0; })) {
    found.ok = false;
    found.reason = "the square of ||b|| underflows: its entries are too small for double precision";
  } else if (!std::isfinite(found.residual)) {
    found.reason = "||b - A x|| or its square is not finite";
  } else if (!found.ok) {
    char text[128];
    std::snprintf(text, sizeof text, "||b - A x|| is %.6g, at most %.6g is allowed", found.residual,
                  found.allowed);
    found.reason = text;
  }
  return found;
}

}  // namespace gossamer
