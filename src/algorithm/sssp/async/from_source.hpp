// How a search by a worklist that kernels or host threads drive begins: one vertex at distance
// zero.
#pragma once

#include <cstdint>

#include "algorithm/sssp/async/shortest_sums.hpp"

namespace gossamer::sssp_detail {

template <class Distance>
struct from_source {
  std::int32_t source;
  GOSSAMER_HD static Distance initial(std::int32_t) { return unreached<Distance>; }
  [[nodiscard]] GOSSAMER_HD bool starts(std::int32_t vertex) const { return vertex == source; }
  GOSSAMER_HD static Distance first(std::int32_t) { return Distance{0}; }
};

}  // namespace gossamer::sssp_detail
