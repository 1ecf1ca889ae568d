// What a rank of engine sync brings back from a run, and what a result says of all of them.
#pragma once

#include <vector>

#include "algorithm/driver/rank_outcomes.hpp"
#include "gossamer/algorithm/components.hpp"

namespace gossamer::components_detail {

/// Seconds, in all and by phase.
struct sync_outcome {
  double seconds = 0, sample = 0, hook = 0, compress = 0, merge = 0;
};

/// Time and phases of the slowest rank.
inline void describe(const std::vector<sync_outcome>& outcomes, components_result& result) {
  const sync_outcome& slowest = algorithm_detail::slowest_rank(outcomes);
  result.milliseconds = slowest.seconds * 1e3;
  result.phases = {
      {"sample", slowest.sample}, {"hook", slowest.hook}, {"compress", slowest.compress}};
  if (outcomes.size() > 1) result.phases.emplace_back("merge", slowest.merge);
}

}  // namespace gossamer::components_detail
