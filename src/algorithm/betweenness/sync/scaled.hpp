// Positive numbers of any size: a double and an exponent of its own.
//
// A number is mantissa * 2^(512 power), where the mantissa lies between 2^-256 and 2^256. Sums and
// products then rarely move a power, and a mantissa that is another's neighbour in power is still a
// double beside it. A sum of numbers two powers apart or more is the larger one: the smaller is
// less than 2^-512 of it.
#pragma once

#include <cmath>
#include <cstdint>

#include "gossamer/base/ids.hpp"

namespace gossamer::betweenness_detail {

struct scaled {
  double mantissa = 0;
  std::int32_t power = 0;

  scaled() = default;
  GOSSAMER_HD scaled(double of, std::int32_t by) : mantissa(of), power(by) {}
  GOSSAMER_HD explicit scaled(double of) : scaled(in_range(of, 0)) {}

  /// May be infinite, or 0 for a number that is not.
  [[nodiscard]] GOSSAMER_HD double value() const { return std::ldexp(mantissa, 512 * power); }
  [[nodiscard]] GOSSAMER_HD bool zero() const { return mantissa == 0; }

  GOSSAMER_HD friend scaled operator+(const scaled& a, const scaled& b) {
    if (a.zero()) return b;
    if (b.zero()) return a;
    if (a.power == b.power) return in_range(a.mantissa + b.mantissa, a.power);
    const scaled &large = a.power > b.power ? a : b, &small = a.power > b.power ? b : a;
    if (large.power - small.power > 1) return large;
    return in_range(large.mantissa + small.mantissa * down, large.power);
  }
  GOSSAMER_HD friend scaled operator*(const scaled& a, const scaled& b) {
    return in_range(a.mantissa * b.mantissa, a.power + b.power);
  }
  GOSSAMER_HD friend scaled operator/(const scaled& a, const scaled& b) {
    return in_range(a.mantissa / b.mantissa, a.power - b.power);
  }

 private:
  static constexpr double down = 0x1p-512, up = 0x1p512, largest = 0x1p256, smallest = 0x1p-256;

  GOSSAMER_HD static scaled in_range(double mantissa, std::int32_t power) {
    if (mantissa > largest) return {mantissa * down, power + 1};
    if (mantissa < smallest && mantissa > 0) return {mantissa * up, power - 1};
    return {mantissa, power};
  }
};

}  // namespace gossamer::betweenness_detail
