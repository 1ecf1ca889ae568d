// What the kernel of a worklist does with residuals on GPUs: the operator, and how it begins.
//
// The rule is that of async.hpp, in another unit and rounded down. Residuals are counted in what
// one share of the tolerance is worth. The least that is worth work is the power of two at or below
// degree + 1. So a vertex's least is a byte, its exponent; 32 of them share a sector beside four
// residuals. How much a residual is worth is a difference of exponents. Rounding down keeps the
// bound and costs half a halving of all residuals in the mean.
//
// By Groute's rule (`residual`) the unit is the least that is worth work at any own vertex. At
// other ranks' vertices anything is worth sending: owners decide. Bytes count from 2^-255 on then,
// so that own vertices have the largest one and others 0.
#pragma once

#include <cstdint>
#include <cstring>

#include "gossamer/base/ids.hpp"
#include "gossamer/fabric/guard.hpp"

namespace gossamer::pagerank_detail::cuda {

struct residuals {
  using value = double;
  static constexpr bool sums = true;
  const std::uint8_t* least;  ///< [vertices] exponents
  const double* share;        ///< [own rows] damping over the sum of out-weights
  double* ranks;              ///< [own rows]
  int base = below_one;       ///< of exponents in `least`, as doubles have them, less one

  /// The exponent of the largest double below one, as its bits say it.
  static constexpr int below_one = 1022;
  /// By Groute's rule: `least` of own vertices, and `base`.
  static constexpr std::uint8_t own_least = 255;
  static constexpr int base_for_own = below_one - own_least;

  /// 0: not worth work; k: worth it until it is halved k times.
  [[nodiscard]] GOSSAMER_HD int level(std::int64_t vertex, double residual) const {
    std::uint64_t bits = 0;  // of what is not negative: no sign above the exponent
    memcpy(&bits, &residual, sizeof bits);
    const int halvings = static_cast<int>(bits >> 52) - base - least[vertex];
    return halvings > 0 ? halvings : 0;
  }
  /// Less is sooner.
  GOSSAMER_HD static double priority(int level) { return -static_cast<double>(level); }
  /// Keeps what was taken of an own row; what goes out along an arc of weight one.
  [[nodiscard]] GOSSAMER_HD double leave(std::int64_t row, double taken) const {
    ranks[row] += taken;
    return taken * share[row];
  }
  template <class Arc>
  GOSSAMER_HD static double propagate(double out, const Arc& along) {
    if constexpr (requires { along.weight + 0.0; })
      return out * along.weight;
    else
      return out;
  }
};

/// Every own vertex with what its jumps bring, which lies where its rank will be.
struct from_jumps {
  std::int64_t begin;  ///< of the own vertices
  double* ranks;       ///< [own rows]

  GOSSAMER_HD static double initial(std::int32_t) { return 0; }
  GOSSAMER_HD static bool starts(std::int32_t) { return true; }
  [[nodiscard]] GOSSAMER_HD double first(std::int32_t vertex) const {
    const double jump = ranks[vertex - begin];
    ranks[vertex - begin] = 0;
    return jump;
  }
};

}  // namespace gossamer::pagerank_detail::cuda
