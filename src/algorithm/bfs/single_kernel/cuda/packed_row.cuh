// A row in 16 bytes, for narrow and thin levels: its arcs are there as soon as it is, without an
// access to offsets and one to columns.
//
// Up to four arcs lie by value, ended by -1. Five and six lie as differences from the vertex, of 20
// bits each, where all fit: networks mostly have numbers that are near for places that are near.
// The first two bits are 10 then, as of no other first word. Rows of another kind are -2, the first
// arc, and how many there are.
#pragma once

#include "gossamer/base/ids.hpp"

namespace gossamer::bfs_detail::cuda {

inline constexpr int near_arcs = 6, near_bits = 20;
inline constexpr long long near_reach = (1ll << (near_bits - 1)) - 1;

GOSSAMER_HD constexpr bool is_near(const int4& row) {
  return row.x < -(1 << 30);
}
GOSSAMER_HD constexpr bool is_elsewhere(const int4& row) {
  return row.x == -2;
}
/// Of a row that is elsewhere.
GOSSAMER_HD constexpr edge_offset first_arc_of(const int4& row) {
  return static_cast<edge_offset>(static_cast<std::uint32_t>(row.y)) |
         static_cast<edge_offset>(row.z) << 32;
}
GOSSAMER_HD constexpr int4 row_elsewhere(edge_offset begin, int arcs) {
  return {-2, static_cast<int>(begin), static_cast<int>(begin >> 32), arcs};
}

/// Where arc k of a near row of `vertex` leads; -1: to itself, or there is none.
GOSSAMER_HD constexpr std::int32_t near_arc(const int4& row, std::int32_t vertex, int k) {
  const auto high = static_cast<std::uint32_t>(k < 3 ? row.z : row.x),
             low = static_cast<std::uint32_t>(k < 3 ? row.w : row.y);
  const int third = k < 3 ? k : k - 3;
  // Bits 0 to 19, 20 to 39 and 40 to 59 of the two words.
  const std::uint32_t bits = third == 0   ? low
                             : third == 1 ? low >> near_bits | high << (32 - near_bits)
                                          : high >> (2 * near_bits - 32);
  const auto difference = static_cast<std::int32_t>(bits << (32 - near_bits)) >> (32 - near_bits);
  return difference == 0 ? -1 : vertex + difference;
}
/// `column(k)`: arc k of `arcs`, five or six. False where one is too far.
template <class Column>
GOSSAMER_HD constexpr bool pack_near(long long vertex, int arcs, const Column& column, int4& row) {
  unsigned long long words[2] = {0, 1ull << 63};
  for (int k = 0; k < arcs; ++k) {
    const long long difference = static_cast<long long>(column(k)) - vertex;
    if (difference > near_reach || difference < -near_reach) return false;
    const auto bits = static_cast<unsigned long long>(difference) & ((1ull << near_bits) - 1);
    words[k / 3] |= bits << (k % 3 * near_bits);
  }
  row = {static_cast<int>(words[1] >> 32), static_cast<int>(words[1]),
         static_cast<int>(words[0] >> 32), static_cast<int>(words[0])};
  return true;
}

}  // namespace gossamer::bfs_detail::cuda
