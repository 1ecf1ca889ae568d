// Arcs and rows as operators of vertex programs see them.
#pragma once

#include <cstdint>

#include "gossamer/base/ids.hpp"

namespace gossamer {

/// Of arcs without weights.
struct no_weight {};

template <class Id, class Weight>
struct arc {
  Id from, to;  ///< placed ids
  Weight weight;
};

/// One row's arcs, or a piece of them: positions begin … end - 1.
template <class Id, class Weight>
struct row_arcs {
  const Id* columns;
  const Weight* weights;
  edge_offset begin, end;
};

/// One rank's rows: columns are placed ids, weights parallel to them (null: no_weight).
template <class Id, class Weight = no_weight>
struct weighted_rows {
  std::int64_t rows = 0;
  const edge_offset* offsets = nullptr;  ///< rows + 1
  const Id* columns = nullptr;
  const Weight* weights = nullptr;
};

}  // namespace gossamer
