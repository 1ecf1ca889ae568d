// What one of 64 searches found: the same sums on CPUs and on GPUs, in the order of levels.
#pragma once

#include <cstdint>

#include "gossamer/base/ids.hpp"

namespace gossamer::distances_detail {

inline constexpr int lanes_at_most = 64;

struct lane_total {
  std::int64_t reached = 1, sum = 0;
  double reciprocals = 0;
  std::int32_t eccentricity = 0;

  GOSSAMER_HD void meet(std::int64_t count, std::int32_t depth) {
    reached += count;
    sum += count * depth;
    reciprocals += static_cast<double>(count) / depth;
    eccentricity = depth;
  }
};

}  // namespace gossamer::distances_detail
