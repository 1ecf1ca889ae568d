// What an engine of core numbers does, and what it is made from (driver/engine_kind.hpp).
#pragma once

#include <memory>
#include <string_view>

#include "algorithm/core_numbers/planning.hpp"
#include "algorithm/driver/engine_kind.hpp"
#include "gossamer/algorithm/core_numbers.hpp"

namespace gossamer::core_numbers_detail {

/// Prepared for a graph on a machine.
class engine {
 public:
  virtual ~engine() = default;
  /// Fills numbers, degeneracy, rounds, times and phases of `result`.
  virtual void run(const run_options& options, core_numbers_result& result) = 0;
};

/// What an engine is made from.
struct preparation {
  machine& on;
  const graph& of;                      ///< without weights
  const core_numbers_options& options;  ///< checked; the engine by its name
};

using engine_kind =
    algorithm_detail::engine_kind<engine, preparation, problem, core_numbers_options>;

/// By its name, which is checked.
const engine_kind& kind_of(std::string_view name);

}  // namespace gossamer::core_numbers_detail
