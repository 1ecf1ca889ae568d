// How labels begin on GPUs: every vertex with arcs offers its own.
#pragma once

#include <cstdint>

#include "algorithm/components/async/smallest_label.hpp"

namespace gossamer::components_detail::cuda {

struct from_all {
  std::int32_t begin, end;     ///< own vertices
  const edge_offset* offsets;  ///< of their rows
  /// Vertices without arcs have their labels from the start, and are no work. Other ranks' vertices
  /// begin with their own: no larger label is sent there.
  [[nodiscard]] GOSSAMER_HD bool starts(std::int32_t v) const {
    return v >= begin && v < end && offsets[v - begin] < offsets[v - begin + 1];
  }
  [[nodiscard]] GOSSAMER_HD std::int32_t initial(std::int32_t v) const {
    return starts(v) ? 0x7fffffff : v;
  }
  GOSSAMER_HD static std::int32_t first(std::int32_t v) { return v; }
};

}  // namespace gossamer::components_detail::cuda
