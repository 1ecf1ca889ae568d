// Eight bytes of data as two 64-bit words that carry their own flags: half of each is data, half a
// count that grows by one an epoch. Whoever finds both counts reached has the data, without a fence
// and without a flag behind it. It does not matter whether the words came as one store of 16 bytes
// or as two.
//
// Counts are compared modulo 2^32, so they may wrap; a reader must not be 2^31 epochs behind.
#pragma once

#include <cstdint>

#include "gossamer/base/ids.hpp"

namespace gossamer {

struct word_pair {
  std::uint64_t low = 0, high = 0;

  /// The count in the upper half, as both words carry it.
  static GOSSAMER_HD std::uint64_t tag(std::uint32_t count) { return std::uint64_t{count} << 32; }
  static GOSSAMER_HD word_pair of(std::uint64_t data, std::uint64_t tag) {
    return {tag | (data & 0xffffffffu), tag | (data >> 32)};
  }
  static GOSSAMER_HD bool arrived(std::uint64_t word, std::uint64_t tag) {
    return static_cast<std::int64_t>(word - tag) >= 0;
  }
  [[nodiscard]] GOSSAMER_HD bool arrived(std::uint64_t tag) const {
    return arrived(low, tag) && arrived(high, tag);
  }
  [[nodiscard]] GOSSAMER_HD std::uint64_t data() const {
    return (low & 0xffffffffu) | (high << 32);
  }
};

}  // namespace gossamer
