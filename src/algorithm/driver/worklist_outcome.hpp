// What a rank brings back from a distributed worklist, whatever the algorithm. Where ranks are
// processes all are told, and a result shows it.
#pragma once

#include <vector>

#include "algorithm/driver/rank_outcomes.hpp"
#include "gossamer/dataflow/worklist_counters.hpp"
#include "gossamer/fabric/rank.hpp"
#include "gossamer/fabric/trace.hpp"

namespace gossamer::algorithm_detail {

struct worklist_outcome {
  worklist_counters work;
  double seconds = 0, exchange = 0, agree = 0;
  double sum = 0;   ///< of own results, where they are sums
  double left = 0;  ///< of sums: what is known here and was not passed on
};

/// Collective: does what `f` does while `values` (placed_values or vertex_values) are open;
/// `outcomes` then has everybody's. `name`: of the run, in traces.
template <class Values, class F>
void run_worklist(rank& r, const char* name, const Values& values,
                  std::vector<worklist_outcome>& outcomes, const F& f) {
  const auto all = values.open(r);
  const double begin = r.clock();
  worklist_outcome& mine = outcomes[static_cast<std::size_t>(r.id())];
  mine = f();
  trace_run(r, name, begin, mine.seconds);
  values.close(r, all);
  if (!r.owner().all_here()) gather_outcomes(r, outcomes);
}

/// Counters of all ranks, and the slowest one's time and phases. Ranks on GPUs exchange and agree
/// between their rounds.
template <class Result>
void describe_worklists(const std::vector<worklist_outcome>& outcomes, const char* phase, bool gpus,
                        Result& result) {
  const worklist_outcome& slowest = slowest_rank(outcomes);
  result.work.emplace();
  for (const worklist_outcome& o : outcomes) result.work->add(o.work);
  result.milliseconds = slowest.seconds * 1e3;
  result.phases = {{phase, rest_of(slowest.seconds, {slowest.exchange, slowest.agree})}};
  if (outcomes.size() == 1 || gpus) return;
  result.phases.emplace_back("exchange", slowest.exchange);
  result.phases.emplace_back("agree", slowest.agree);
}

}  // namespace gossamer::algorithm_detail
