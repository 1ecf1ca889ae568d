// What a rank of engine sync brings back from a run, and what a result says of all of them.
#pragma once

#include <algorithm>
#include <vector>

#include "gossamer/algorithm/connected_components.hpp"

namespace gossamer::components_detail {

/// Seconds, in all and by phase.
struct sync_outcome {
  double seconds = 0, sample = 0, hook = 0, compress = 0, merge = 0;
};

/// Time and phases: of each the slowest rank's.
inline void describe(const std::vector<sync_outcome>& outcomes, components_result& result) {
  sync_outcome slowest;
  for (const sync_outcome& o : outcomes) {
    slowest.seconds = std::max(slowest.seconds, o.seconds);
    slowest.sample = std::max(slowest.sample, o.sample);
    slowest.hook = std::max(slowest.hook, o.hook);
    slowest.compress = std::max(slowest.compress, o.compress);
    slowest.merge = std::max(slowest.merge, o.merge);
  }
  result.milliseconds = slowest.seconds * 1e3;
  result.phases = {
      {"sample", slowest.sample}, {"hook", slowest.hook}, {"compress", slowest.compress}};
  if (outcomes.size() > 1) result.phases.emplace_back("merge", slowest.merge);
}

}  // namespace gossamer::components_detail
