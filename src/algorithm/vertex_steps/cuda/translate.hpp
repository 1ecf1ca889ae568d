// Columns that say where copies lie, made on the GPU from columns of ids.
#pragma once

#include <cstdint>

#include "gossamer/base/ids.hpp"
#include "gossamer/machine/device.hpp"

namespace gossamer::steps_detail {

/// Rows on a GPU.
template <class Id>
struct rows_to_translate {
  const edge_offset* offsets;  ///< [rows + 1], from 0
  std::int64_t rows, arcs;
  const Id* columns;
  const void* weights;  ///< null: none
  int weight_bytes;     ///< 4 or 8
};

/// Each row's position[column], rising, into `positions` [arcs], and the weights beside them into
/// `weights`. All of it lies on the GPU, which is current. Done when it returns; takes the room of
/// the columns, and of the weights, beside.
template <class Id>
void translate_columns(const device& on, const rows_to_translate<Id>& rows, const int* position,
                       int* positions, void* weights);

}  // namespace gossamer::steps_detail
