// What a rank tells of a run, and what becomes of that in a result.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "algorithm/betweenness/laid_rows.hpp"
#include "algorithm/driver/rank_outcomes.hpp"
#include "gossamer/algorithm/betweenness.hpp"

namespace gossamer::betweenness_detail {

/// Seconds, in all and by phase, and searches that were done again, scaled.
struct outcome {
  double seconds = 0, search = 0, collect = 0;
  std::int64_t rescaled = 0;
};

/// Seconds of making rows are of the first run alone.
inline void report(const std::vector<outcome>& ranks, found_rows& rows,
                   betweenness_result& result) {
  for (const outcome& of : ranks) result.rescaled += of.rescaled;
  const outcome& slowest = algorithm_detail::slowest_rank(ranks);
  result.milliseconds = slowest.seconds * 1e3;
  result.phases = {{"reverse", std::exchange(rows.reversing, 0)},
                   {"lay out", std::exchange(rows.laying_out, 0)},
                   {"search", slowest.search},
                   {"collect", slowest.collect}};
}

}  // namespace gossamer::betweenness_detail
