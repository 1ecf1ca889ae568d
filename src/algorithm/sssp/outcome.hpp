// What a rank brings back from a search, and what a result says of all of them.
#pragma once

#include <algorithm>
#include <vector>

#include "algorithm/driver/rank_outcomes.hpp"
#include "algorithm/sssp/sync/peer.hpp"
#include "gossamer/algorithm/sssp.hpp"
#include "gossamer/machine/device.hpp"

namespace gossamer::sssp_detail {

/// What one rank brings back.
struct outcome {
  search_counts counts;
  worklist_counters work;  ///< engines async and host
  peer_times times;
  double seconds = 0, parents = 0;
};

/// Counts of all ranks, time and phases of the slowest. `options` has the engine's name, `on`
/// is like all devices.
inline void describe(const std::vector<outcome>& outcomes, const sssp_options& options,
                     const device& on, sssp_result& result) {
  const outcome& slowest = algorithm_detail::slowest_rank(outcomes);
  if (options.engine == "async" || options.engine == "host") result.work.emplace();
  for (const outcome& o : outcomes) {
    if (result.work) result.work->add(o.work);
    result.relaxations += o.counts.relaxations;
    result.rounds = std::max(result.rounds, o.counts.rounds);  // of all that take part the same
  }
  result.milliseconds = slowest.seconds * 1e3;
  const auto [exchange, agree] = slowest.times;
  result.phases = {
      {"relax", algorithm_detail::rest_of(slowest.seconds, {exchange, agree, slowest.parents})}};
  if (outcomes.size() > 1 && !on.is_cuda()) {
    result.phases.emplace_back("exchange", exchange);
    result.phases.emplace_back("agree", agree);
  }
  if (options.parents) result.phases.emplace_back("parents", slowest.parents);
}

}  // namespace gossamer::sssp_detail
