// The cache of a modelled rank: which accesses of a worklist meet each other there, and how many
// bytes the memory moves for the rest. Direct-mapped by sector, since which lines a GPU gives up
// first is not known.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "gossamer/machine/system.hpp"

namespace gossamer::dataflow {

class modelled_cache {
 public:
  /// What can be at a random place of its own: each is an address space.
  enum class array : std::uint64_t { values, offsets, columns };

  explicit modelled_cache(const model::worker& of)
      : tags_(std::bit_floor(static_cast<std::size_t>(of.cache) / sector), none),
        shift_(65 - static_cast<int>(std::bit_width(tags_.size()))),
        scatter_(of.scatter) {}

  /// An access to a byte of an array; returns bytes of memory traffic: a sector where an earlier
  /// one left it, else what a random access costs.
  double access(array in, std::size_t byte) {
    const std::uint64_t at = (static_cast<std::uint64_t>(in) << 60) | (byte / sector);
    if (tags_.empty()) return scatter_;
    // Arrays begin anywhere, so that equal places in two of them do not always meet: Fibonacci
    // hashing (Knuth, TAOCP 3, 6.4), by the highest bits.
    std::uint64_t& tag = tags_[tags_.size() > 1 ? (at * 0x9E3779B97F4A7C15u) >> shift_ : 0];
    if (tag == at) return sector;
    tag = at;
    return scatter_;
  }

 private:
  static constexpr std::size_t sector = 32;
  static constexpr std::uint64_t none = ~std::uint64_t{0};
  std::vector<std::uint64_t> tags_;  ///< a power of two of them, or none
  int shift_;
  double scatter_;
};

}  // namespace gossamer::dataflow
