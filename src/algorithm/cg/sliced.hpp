// Rows in slices of 32 for GPUs (sliced ELLPACK). The k-th entries of a slice's rows lie side by
// side. So a warp with a row a thread reads whole lines, and a thread has several entries in
// flight.
//
// Rows of a slice are padded to its longest one: worth it for short rows of about equal length,
// where the lanes of a warp that shared a row would wait for one short read after the other.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "algorithm/cg/layout.hpp"

namespace gossamer::cg_detail {

inline constexpr std::int64_t slice_rows = 32;

struct sliced_rows {
  std::vector<std::int64_t> first;    ///< [slices + 1] where each begins in the arrays below
  std::vector<std::int32_t> columns;  ///< padding: a column of the same row
  std::vector<double> values;         ///< padding: 0
};

/// Entries with padding; `offsets` of rows in CRS.
std::int64_t sliced_entries(std::span<const std::int64_t> offsets);
/// Whether a GPU should have them sliced.
bool worth_slicing(std::span<const std::int64_t> offsets);
/// A row without entries, which a checked matrix has not, is padded with column 0.
sliced_rows slice(const local_matrix& part);

}  // namespace gossamer::cg_detail
