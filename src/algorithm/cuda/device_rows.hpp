// Rows of a graph in a GPU's memory, as kernels read them.
#pragma once

#include "gossamer/base/ids.hpp"

namespace gossamer::algorithm_detail::cuda {

/// Along arcs, or against them.
template <class Id>
struct device_rows {
  const edge_offset* offsets;
  const Id* columns;
};

}  // namespace gossamer::algorithm_detail::cuda
