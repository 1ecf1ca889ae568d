// Which vertices move together, and when a level ends: the same on CPUs and on GPUs.
#pragma once

#include <cstdint>

#include "gossamer/base/ids.hpp"
#include "gossamer/graph/random.hpp"

namespace gossamer::communities_detail {

/// Of the vertices that may move: a power of two. With fewer, vertices see less of what others do;
/// with more there are more steps.
inline constexpr int groups = 16, group_bits = 4;
/// Of moves in a level at most.
inline constexpr int most_rounds = 32;

/// The group of a vertex, by a draw's random numbers.
GOSSAMER_HD constexpr unsigned group_in(const counter_random& random, std::uint64_t v) {
  return static_cast<unsigned>(random(v) >> (64 - group_bits));
}
/// A small share of the vertices has moved: that ends a level.
GOSSAMER_HD constexpr bool is_worth_another(std::int64_t moved, std::int64_t vertices) {
  return moved * 1000 > vertices;
}

}  // namespace gossamer::communities_detail
