// Kernels of engine async beside the worklist's own, as functions.
#pragma once

#include <cstdint>

#include "algorithm/bfs/async/unit_steps.hpp"

namespace gossamer::bfs_detail::cuda {

/// How a search begins: one vertex at depth zero, its own parent.
struct from_vertex {
  using steps = unit_steps<vertex32>;
  std::int32_t source;  ///< placed id; -1 = another rank's
  GOSSAMER_HD static steps::value initial(std::int32_t) { return steps::unreached; }
  [[nodiscard]] GOSSAMER_HD bool starts(std::int32_t vertex) const { return vertex == source; }
  GOSSAMER_HD static steps::value first(std::int32_t vertex) { return {vertex, 0}; }
};

/// Results out of values, -1 where nothing came; adds the arcs in rows of reached vertices to
/// `arcs`. Asynchronous; rows >= 1.
void settle(void* stream, std::int64_t rows, const unit_steps<vertex32>::value* values,
            const std::int64_t* offsets, vertex32* parents, std::int32_t* depths,
            unsigned long long* arcs);

}  // namespace gossamer::bfs_detail::cuda
