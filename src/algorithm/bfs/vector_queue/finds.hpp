// What one level of paper A's search found on one rank, packed for the way to the host: labels, and
// which rows they belong to. Written by the last kernel of a level, read by the host.
//
//   labels  one a row that was found, ascending by row; of 4 or 8 bytes
//   rows    bits, a word for 32 rows, where that is shorter than a list; else local indices,
//           4 bytes each
//
// A level that finds n rows thus takes at most 8 n bytes (16 n with labels of 8 bytes, for their
// alignment), and all levels together at most that for all rows. So room for them is taken once,
// and each level's lies behind the last.
#pragma once

#include <bit>
#include <cstdint>

#include "gossamer/base/ids.hpp"

namespace gossamer::bfs_detail {

struct packed_finds {
  void* labels;
  std::uint32_t* rows;
  bool bits;
  bool wide;           ///< labels of 8 bytes
  std::int64_t words;  ///< of 4 bytes, that all of it takes; a multiple of a label's

  /// `into`: aligned as a label; `found` of `rows` rows.
  GOSSAMER_HD static packed_finds in(std::uint32_t* into, std::int64_t rows, std::int64_t found,
                                     int label_bytes) {
    const std::int64_t of_label = label_bytes / 4;
    const bool bits = found * 32 >= rows;
    const std::int64_t which = bits ? (rows + 31) / 32 : found;
    return {into, into + found * of_label, bits, label_bytes == 8,
            (found * of_label + which + of_label - 1) / of_label * of_label};
  }
  /// The `at`-th find's label.
  GOSSAMER_HD void put_label(std::int64_t at, std::int64_t label) const {
    if (wide)
      static_cast<vertex64*>(labels)[at] = label;
    else
      static_cast<vertex32*>(labels)[at] = static_cast<vertex32>(label);
  }
  [[nodiscard]] std::int64_t label(std::int64_t at) const {
    return wide ? static_cast<const vertex64*>(labels)[at]
                : std::int64_t{static_cast<const vertex32*>(labels)[at]};
  }
  /// The `at`-th find; bits were zero, and those of one word belong to one thread.
  void put(std::int64_t at, std::int64_t row, std::int64_t label) const {
    put_label(at, label);
    if (bits)
      rows[row / 32] |= std::uint32_t{1} << (row % 32);
    else
      rows[at] = static_cast<std::uint32_t>(row);
  }
  /// Words that all levels together can take.
  static constexpr std::int64_t room(std::int64_t rows, int label_bytes) {
    return rows * (label_bytes == 4 ? 2 : 4);
  }
  /// Bytes of memory traffic beside a queue's, whose kernel has read what it takes.
  [[nodiscard]] double traffic() const { return static_cast<double>(words) * 4; }
};

/// Calls f(local index, label) for each row found, ascending.
template <class F>
void each_find(const packed_finds& finds, std::int64_t rows, std::int64_t found, const F& f) {
  if (!finds.bits) {
    for (std::int64_t i = 0; i < found; ++i)
      f(static_cast<std::int64_t>(finds.rows[i]), finds.label(i));
    return;
  }
  std::int64_t at = 0;
  for (std::int64_t w = 0; w < (rows + 31) / 32; ++w)
    for (std::uint32_t left = finds.rows[w]; left != 0; left &= left - 1)
      f(w * 32 + std::countr_zero(left), finds.label(at++));
}

}  // namespace gossamer::bfs_detail
