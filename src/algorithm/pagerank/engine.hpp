// What an engine of PageRank does, and what it is made from (driver/engine_kind.hpp).
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "algorithm/driver/engine_kind.hpp"
#include "algorithm/pagerank/planning.hpp"
#include "gossamer/algorithm/pagerank.hpp"

namespace gossamer::pagerank_detail {

/// Prepared for a graph on a machine, for one width of ids and ranks.
class solver {
 public:
  virtual ~solver() = default;
  virtual void run(const shared_array<double>& jumps, const shared_array<double>& start,
                   const run_options& how, pagerank_result& result) = 0;
};

/// What an engine is made from.
struct preparation {
  machine& on;
  const graph& of;  ///< rows in the order of their ranks, where it is not `placed`
  std::shared_ptr<const placed_graph> placed;
  const std::vector<std::int64_t>& first;  ///< [ranks + 1] row ranges, where it is not
  const pagerank_options& options;         ///< checked; the engine by its name
  const memory_plan& needs;
  bool laid_by_host = false;  ///< see problem
};

using engine_kind = algorithm_detail::engine_kind<solver, preparation, problem, pagerank_options>;

/// By its name, which is checked.
const engine_kind& kind_of(std::string_view name);

}  // namespace gossamer::pagerank_detail
