// What an engine of components does, and what it is made from (driver/engine_kind.hpp).
#pragma once

#include <memory>
#include <string_view>

#include "algorithm/components/planning.hpp"
#include "algorithm/driver/engine_kind.hpp"
#include "gossamer/algorithm/components.hpp"

namespace gossamer::components_detail {

/// Prepared for a graph on a machine.
class engine {
 public:
  virtual ~engine() = default;
  /// Fills labels, times, phases and work of `result`.
  virtual void run(const run_options& options, components_result& result) = 0;
};

/// What an engine is made from.
struct preparation {
  machine& on;
  const graph& bare;                           ///< without weights
  std::shared_ptr<const placed_graph> placed;  ///< null where no rank owns rows
  const components_options& options;           ///< checked; the engine by its name
};

using engine_kind = algorithm_detail::engine_kind<engine, preparation, problem, components_options>;

/// By its name, which is checked.
const engine_kind& kind_of(std::string_view name);

}  // namespace gossamer::components_detail
