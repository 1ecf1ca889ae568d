// Rows that close triangles, those of two entries and more, as two lists: long ones and short ones.
// They are cut into slices, each of which a GPU has done within a second: between two a run tells
// of its progress, and hears of a stop.
#pragma once

#include <cstdint>
#include <vector>

#include "gossamer/base/ids.hpp"
#include "gossamer/base/large_array.hpp"

namespace gossamer::triangles_detail {

/// Rows of both lists, [from, to) of each.
struct row_slice {
  std::int64_t long_from = 0, long_to = 0, short_from = 0, short_to = 0;
};

template <class Id>
struct row_lists {
  shared_array<Id> rows;  ///< long ones, then short ones, each ascending
  std::int64_t long_rows = 0, short_rows = 0;
  std::vector<row_slice> slices;  ///< one at least
};

/// Of rows by `offsets` [n + 1]. Rows of `long_row` entries are long. A slice has looks at other
/// rows up to `most_looks`, and one row more.
template <class Id>
row_lists<Id> list_rows(const edge_offset* offsets, std::int64_t n, std::int64_t long_row,
                        double most_looks) {
  row_lists<Id> made;
  for (std::int64_t v = 0; v < n; ++v) {
    const edge_offset length = offsets[v + 1] - offsets[v];
    if (length >= long_row)
      ++made.long_rows;
    else if (length >= 2)
      ++made.short_rows;
  }
  made.rows = make_array<Id>(static_cast<std::size_t>(made.long_rows + made.short_rows));
  Id* const rows = made.rows.data();
  std::int64_t next_long = 0, next_short = made.long_rows;
  for (std::int64_t v = 0; v < n; ++v) {
    const edge_offset length = offsets[v + 1] - offsets[v];
    if (length < 2) continue;
    rows[length >= long_row ? next_long++ : next_short++] = static_cast<Id>(v);
  }
  // Searches begin where a row is 16 times as long as what stands before it, and 4 times.
  row_slice slice;
  double looks = 0;
  for (std::int64_t i = 0; i < std::ssize(made.rows); ++i) {
    const bool is_long = i < made.long_rows;
    const auto length = static_cast<double>(offsets[rows[i] + 1] - offsets[rows[i]]);
    looks += (is_long ? 8 : 2) * length * length;
    ++(is_long ? slice.long_to : slice.short_to);
    if (looks <= most_looks) continue;
    made.slices.push_back(slice);
    slice = {slice.long_to, slice.long_to, slice.short_to, slice.short_to};
    looks = 0;
  }
  if (looks > 0 || made.slices.empty()) made.slices.push_back(slice);
  return made;
}

}  // namespace gossamer::triangles_detail
