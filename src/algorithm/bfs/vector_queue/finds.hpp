// What one level of paper A's search found on one rank, packed for the way to the host: labels, and
// which rows they belong to. Written by the last kernel of a level, read by the host.
//
//   labels  one Id a row that was found, ascending by row
//   rows    bits, a word for 32 rows, where that is shorter than a list; else local indices,
//           4 bytes each
//
// A level that finds n rows thus takes at most 8 n bytes (12 n with ids of 8 bytes), and all levels
// together at most that for all rows. So room for them is taken once, and each level's lies behind
// the last.
#pragma once

#include <bit>
#include <cstdint>

#include "gossamer/base/ids.hpp"

namespace gossamer::bfs_detail {

template <class Id>
struct packed_finds {
  Id* labels;
  std::uint32_t* rows;
  bool bits;
  std::int64_t words;  ///< of 4 bytes, that all of it takes; a multiple of an Id's

  /// `into`: aligned as Id; `found` of `rows` rows.
  GOSSAMER_HD static packed_finds in(std::uint32_t* into, std::int64_t rows, std::int64_t found) {
    constexpr std::int64_t of_id = sizeof(Id) / sizeof(std::uint32_t);
    const bool bits = found * 32 >= rows;
    const std::int64_t which = bits ? (rows + 31) / 32 : found;
    return {reinterpret_cast<Id*>(into), into + found * of_id, bits,
            (found * of_id + which + of_id - 1) / of_id * of_id};
  }
  /// The `at`-th find; bits were zero, and those of one word belong to one thread.
  void put(std::int64_t at, std::int64_t row, Id label) const {
    labels[at] = label;
    if (bits)
      rows[row / 32] |= std::uint32_t{1} << (row % 32);
    else
      rows[at] = static_cast<std::uint32_t>(row);
  }
  /// Words that all levels together can take.
  static constexpr std::int64_t room(std::int64_t rows) { return rows * (sizeof(Id) == 4 ? 2 : 4); }
  /// Bytes of memory traffic beside a queue's, whose kernel has read what it takes.
  [[nodiscard]] double traffic() const { return static_cast<double>(words) * 4; }
};

/// Calls f(local index, label) for each row found, ascending.
template <class Id, class F>
void each_find(const packed_finds<Id>& finds, std::int64_t rows, std::int64_t found, const F& f) {
  if (!finds.bits) {
    for (std::int64_t i = 0; i < found; ++i)
      f(static_cast<std::int64_t>(finds.rows[i]), finds.labels[i]);
    return;
  }
  std::int64_t at = 0;
  for (std::int64_t w = 0; w < (rows + 31) / 32; ++w)
    for (std::uint32_t left = finds.rows[w]; left != 0; left &= left - 1)
      f(w * 32 + std::countr_zero(left), finds.labels[at++]);
}

}  // namespace gossamer::bfs_detail
