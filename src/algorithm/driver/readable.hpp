// Which graphs a search can read where they lie.
#pragma once

#include "gossamer/graph/csr.hpp"
#include "gossamer/machine/machine.hpp"

namespace gossamer::algorithm_detail {

/// usage_error for a graph on a GPU, unless that GPU is the only rank of `m` and what is prepared
/// works on placements alone.
inline void require_readable(const machine& m, const graph& g, bool by_placement) {
  const bool there = m.size() == 1 && m[0].is_cuda() && m[0].ordinal == g.gpu;
  if (!there || !by_placement) g.require_here();
}

}  // namespace gossamer::algorithm_detail
