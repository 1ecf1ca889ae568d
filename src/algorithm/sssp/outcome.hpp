// What a rank brings back from a search, and what a result says of all of them.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "algorithm/driver/rank_outcomes.hpp"
#include "gossamer/algorithm/sssp.hpp"
#include "gossamer/dataflow/worklist_counters.hpp"

namespace gossamer::sssp_detail {

/// What a search did.
struct search_counts {
  std::int64_t relaxations = 0, rounds = 0;
};

/// Times of a search of several ranks, in seconds.
struct peer_times {
  double exchange = 0, agree = 0;
};

/// What one rank brings back.
struct outcome {
  search_counts counts;
  std::optional<worklist_counters> work;  ///< of engines that have a worklist
  peer_times times;
  double seconds = 0, parents = 0;
};

/// Counts of all ranks, time and phases of the slowest. `on_cpus`: all ranks are.
inline void describe(const std::vector<outcome>& outcomes, bool parents, bool on_cpus,
                     sssp_result& result) {
  const outcome& slowest = algorithm_detail::slowest_rank(outcomes);
  for (const outcome& o : outcomes) {
    if (o.work) (result.work ? *result.work : result.work.emplace()).add(*o.work);
    result.relaxations += o.counts.relaxations;
    result.rounds = std::max(result.rounds, o.counts.rounds);  // of all that take part the same
  }
  result.milliseconds = slowest.seconds * 1e3;
  const auto [exchange, agree] = slowest.times;
  result.phases = {
      {"relax", algorithm_detail::rest_of(slowest.seconds, {exchange, agree, slowest.parents})}};
  if (outcomes.size() > 1 && on_cpus) {
    result.phases.emplace_back("exchange", exchange);
    result.phases.emplace_back("agree", agree);
  }
  if (parents) result.phases.emplace_back("parents", slowest.parents);
}

}  // namespace gossamer::sssp_detail
