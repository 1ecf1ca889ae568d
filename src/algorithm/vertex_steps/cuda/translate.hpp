// Columns that say where copies lie, made on the GPU from columns of ids.
#pragma once

#include <cstdint>

#include "gossamer/machine/device.hpp"

namespace gossamer::steps_detail {

/// positions[k] = position[columns[k]] for all k < n; all of it on the GPU, which is current. Done
/// when it returns.
template <class Id>
void translate_columns(const device& on, const Id* columns, std::int64_t n, const int* position,
                       int* positions);

}  // namespace gossamer::steps_detail
