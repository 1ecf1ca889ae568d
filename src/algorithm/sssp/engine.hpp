// What an engine of shortest paths does, and what it is made from (driver/engine_kind.hpp).
#pragma once

#include <memory>
#include <string_view>

#include "algorithm/driver/engine_kind.hpp"
#include "algorithm/layouts/arc_weights.hpp"
#include "algorithm/sssp/planning.hpp"
#include "gossamer/algorithm/sssp.hpp"

namespace gossamer::sssp_detail {

using algorithm_detail::weight_facts;

/// Prepared for a graph on a machine.
class engine {
 public:
  virtual ~engine() = default;
  /// One search on all ranks; fills distances, parents, counts, times, phases and work of `result`.
  virtual void run(std::int64_t source, const run_options& how, sssp_result& result) = 0;
};

/// What an engine is made from.
struct preparation {
  machine& on;
  const graph& of;
  std::shared_ptr<const placed_graph> placed;  ///< null where it is not `placed` on this machine
  const sssp_options& options;                 ///< checked; the engine by its name, delta chosen
  const weight_facts& facts;
  const memory_plan& needs;
};

using engine_kind = algorithm_detail::engine_kind<engine, preparation, problem, sssp_options>;

/// By its name, which is checked.
const engine_kind& kind_of(std::string_view name);

}  // namespace gossamer::sssp_detail
