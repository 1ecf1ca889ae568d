// In which order, and in which pieces, GPUs take rows.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "algorithm/vertex_steps/cuda/view.hpp"
#include "gossamer/base/ids.hpp"

namespace gossamer::steps_detail {

/// Rows that gathers do not split.
struct placed_rows {
  std::vector<row_place> places;
  std::array<std::int64_t, row_classes> class_end{};  ///< in `places`
};

/// By falling class, rows of a class in their old order; `by_length`: by falling length, so that
/// lanes that work together end together. Arcs are counted from the first row's. O(rows).
placed_rows place_rows(std::span<const edge_offset> offsets, bool by_length);

/// Chunks of at most `arcs` arcs of the rows with `shortest` arcs or more.
std::vector<row_chunk> cut_rows(std::span<const edge_offset> offsets, std::int64_t shortest,
                                std::int64_t arcs);

}  // namespace gossamer::steps_detail
