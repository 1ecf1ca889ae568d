// Circular left-right: the order in which each of p ranks meets all others, so that in every stage
// each sends to one and receives from one (paper A, section 5.3).
//
// Stride s = 1 … p/2: first to the right (rank + s), then to the left (rank - s); for even p the
// left stage of the last stride is the same as the right one and is left out. p - 1 stages.
#pragma once

#include <vector>

namespace gossamer::bfs_detail {

struct circular_stage {
  int to;    ///< the rank that this one sends to
  int from;  ///< the rank that sends to this one
};

inline std::vector<circular_stage> circular_stages(int rank, int ranks) {
  std::vector<circular_stage> stages;
  for (int s = 1; s <= ranks / 2; ++s) {
    const int right = (rank + s) % ranks, left = (rank + ranks - s) % ranks;
    stages.push_back({right, left});
    if (right != left) stages.push_back({left, right});
  }
  return stages;
}

}  // namespace gossamer::bfs_detail
