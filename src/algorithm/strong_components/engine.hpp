// What an engine of strong components does, and what it is made from (driver/engine_kind.hpp).
#pragma once

#include <memory>
#include <string_view>

#include "algorithm/driver/engine_kind.hpp"
#include "algorithm/strong_components/planning.hpp"
#include "gossamer/algorithm/strong_components.hpp"

namespace gossamer::strong_components_detail {

/// Prepared for a graph on a machine.
class engine {
 public:
  virtual ~engine() = default;
  /// Fills labels, counts, times and phases of `result`.
  virtual void run(const run_options& options, strong_components_result& result) = 0;
};

/// What an engine is made from.
struct preparation {
  machine& on;
  const graph& of;                           ///< without weights
  const strong_components_options& options;  ///< checked; the engine by its name
};

using engine_kind =
    algorithm_detail::engine_kind<engine, preparation, problem, strong_components_options>;

/// By its name, which is checked.
const engine_kind& kind_of(std::string_view name);

}  // namespace gossamer::strong_components_detail
