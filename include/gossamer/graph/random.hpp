// Counter-based random numbers, a bijection and weights, the same on CPU and GPU.
//
// Every number is a pure function of (seed, counter), so that any rank can make any part of a
// graph, and every decision compares integers: no rounding mode, compiler or device can change a
// graph. The mixing function is the finaliser of SplitMix64 (Steele, Lea, Flood, OOPSLA 2014;
// constants: Stafford's variant 13), whose generator is this function over a counter times an odd
// constant.
#pragma once

#include <cstdint>

#include "gossamer/base/ids.hpp"

namespace gossamer {

/// A bijection of 64-bit words in which every input bit flips each output bit with about 1/2.
GOSSAMER_HD constexpr std::uint64_t mix64(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

/// Independent random words by index. `stream` separates uses of one seed.
struct counter_random {
  std::uint64_t key = 0;

  GOSSAMER_HD static constexpr counter_random of(std::uint64_t seed, std::uint64_t stream) {
    return {mix64(mix64(seed + 0x9e3779b97f4a7c15u) + stream * 0xd1342543de82ef95u + 1)};
  }
  /// Word number `counter`: 64 uniform bits.
  GOSSAMER_HD constexpr std::uint64_t operator()(std::uint64_t counter) const {
    return mix64(key + (counter + 1) * 0x9e3779b97f4a7c15u);
  }
};

/// A pseudo-random permutation of [0, n): a Feistel network on the smallest sufficient number of
/// bits (Luby and Rackoff 1988; halves may differ by one bit, each round changes one half by a
/// function of the other), walked until it lands inside [0, n) (Black and Rogaway 2002; at most two
/// steps on average).
struct permutation {
  std::uint64_t n = 1;
  int low_bits = 0, high_bits = 0;
  std::uint64_t keys[4] = {};

  GOSSAMER_HD static constexpr permutation of(std::uint64_t n, std::uint64_t seed) {
    permutation p;
    p.n = n;
    int bits = 0;
    while (bits < 63 && (std::uint64_t{1} << bits) < n) ++bits;
    p.low_bits = bits / 2;
    p.high_bits = bits - p.low_bits;
    const counter_random random = counter_random::of(seed, 0x7065726d);
    for (int i = 0; i < 4; ++i) p.keys[i] = random(static_cast<std::uint64_t>(i));
    return p;
  }
  /// Where `x` (< n) goes.
  GOSSAMER_HD constexpr std::uint64_t operator()(std::uint64_t x) const {
    do {
      x = step(x);
    } while (x >= n);
    return x;
  }

 private:
  GOSSAMER_HD constexpr std::uint64_t step(std::uint64_t x) const {
    const std::uint64_t low_mask = (std::uint64_t{1} << low_bits) - 1;
    const std::uint64_t high_mask = (std::uint64_t{1} << high_bits) - 1;
    std::uint64_t low = x & low_mask, high = x >> low_bits;
    for (int i = 0; i < 4; i += 2) {
      // The upper bits of the product are the well-mixed ones.
      high ^= (mix64(low ^ keys[i]) >> 32) & high_mask;
      low ^= (mix64(high ^ keys[i + 1]) >> 32) & low_mask;
    }
    return high << low_bits | low;
  }
};

/// Weight of the edge {u, v}: 1..255, the same for (u,v) and (v,u).
GOSSAMER_HD constexpr std::int32_t symmetric_weight(std::uint64_t u, std::uint64_t v,
                                                    std::uint64_t seed) {
  const std::uint64_t a = u < v ? u : v, b = u < v ? v : u;
  const std::uint64_t word = mix64(mix64(a + (seed + 1) * 0x9e3779b97f4a7c15u) + b);
  return static_cast<std::int32_t>(((word >> 32) * 255u) >> 32) + 1;
}

}  // namespace gossamer
