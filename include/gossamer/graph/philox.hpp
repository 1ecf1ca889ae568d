// Philox4x32-10: random words by counter and key (Salmon, Moraes, Dror, Shaw, "Parallel Random
// Numbers: As Easy as 1, 2, 3", SC'11), the same on CPU and GPU.
//
// It is what libraries of random numbers have under that name, so that others can draw the same.
// random.hpp has a cheaper mixing function, which generators of graphs use.
#pragma once

#include <cstddef>
#include <cstdint>

#include "gossamer/base/ids.hpp"

namespace gossamer {

/// Four words of 32 bits.
struct philox_words {
  std::uint32_t word[4] = {};

  /// Two words as one of 64 bits, the lower first: `pair` 0 or 1.
  [[nodiscard]] GOSSAMER_HD constexpr std::uint64_t wide(std::size_t pair) const {
    return word[2 * pair] | std::uint64_t{word[2 * pair + 1]} << 32;
  }
};

/// Ten rounds of two products, each with a half of the key, which two constants add to.
GOSSAMER_HD constexpr philox_words philox4x32(philox_words counter, std::uint64_t key) {
  auto low = static_cast<std::uint32_t>(key), high = static_cast<std::uint32_t>(key >> 32);
  std::uint32_t* const c = counter.word;
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t a = std::uint64_t{0xD2511F53u} * c[0],
                        b = std::uint64_t{0xCD9E8D57u} * c[2];
    c[0] = static_cast<std::uint32_t>(b >> 32) ^ c[1] ^ low;
    c[2] = static_cast<std::uint32_t>(a >> 32) ^ c[3] ^ high;
    c[1] = static_cast<std::uint32_t>(b);
    c[3] = static_cast<std::uint32_t>(a);
    low += 0x9E3779B9u;
    high += 0xBB67AE85u;
  }
  return counter;
}

}  // namespace gossamer
