// The order of edges: by weight, then by arc. Weights become unsigned numbers in their order. Where
// those have 32 bits, and arcs too, both are one number, which one atomic operation compares.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>
#include <utility>
#include <variant>

#include "gossamer/base/ids.hpp"

namespace gossamer::spanning_forest_detail {

/// Behind every weight and arc.
inline constexpr std::uint64_t last_of_all = std::numeric_limits<std::uint64_t>::max();

/// Finite weights; zeros of both signs are one.
inline std::uint64_t rank_of(std::int32_t weight) {
  return static_cast<std::uint32_t>(weight) ^ 0x80000000U;
}
inline std::uint64_t rank_of(float weight) {
  const auto bits = std::bit_cast<std::uint32_t>(weight + 0.0F);
  return (bits >> 31) != 0 ? ~bits : bits | 0x80000000U;
}
inline std::uint64_t rank_of(double weight) {
  const auto bits = std::bit_cast<std::uint64_t>(weight + 0.0);
  return (bits >> 63) != 0 ? ~bits : bits | (std::uint64_t{1} << 63);
}

/// An edge between two components. `key`: weight and arc together.
template <class Id, bool Packed>
struct edge;

template <class Id>
struct edge<Id, true> {
  Id u, v;
  std::uint64_t key;
  static edge of(Id u, Id v, std::uint64_t rank, std::int64_t arc) {
    return {u, v, (rank << 32) | static_cast<std::uint64_t>(arc)};
  }
  [[nodiscard]] GOSSAMER_HD std::int64_t arc() const {
    return static_cast<std::int64_t>(key & 0xffffffffU);
  }
};

template <class Id>
struct edge<Id, false> {
  Id u, v;
  std::uint64_t key;  ///< of weight alone
  std::uint64_t place;
  static edge of(Id u, Id v, std::uint64_t rank, std::int64_t arc) {
    return {u, v, rank, static_cast<std::uint64_t>(arc)};
  }
  [[nodiscard]] GOSSAMER_HD std::int64_t arc() const { return static_cast<std::int64_t>(place); }
};

/// Weight, then arc, of what is compared before there is an edge.
using rank_and_arc = std::pair<std::uint64_t, std::int64_t>;

}  // namespace gossamer::spanning_forest_detail
