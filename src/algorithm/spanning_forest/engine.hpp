// What an engine of spanning forests does, and what it is made from (driver/engine_kind.hpp).
#pragma once

#include <memory>
#include <string_view>

#include "algorithm/driver/engine_kind.hpp"
#include "algorithm/spanning_forest/planning.hpp"
#include "gossamer/algorithm/spanning_forest.hpp"

namespace gossamer::spanning_forest_detail {

/// Prepared for a graph on a machine.
class engine {
 public:
  virtual ~engine() = default;
  /// Fills arcs, rounds, times and phases of `result`.
  virtual void run(const run_options& options, spanning_forest_result& result) = 0;
};

/// What an engine is made from.
struct preparation {
  machine& on;
  const graph& of;                         ///< undirected
  const spanning_forest_options& options;  ///< checked; the engine by its name
};

using engine_kind =
    algorithm_detail::engine_kind<engine, preparation, problem, spanning_forest_options>;

/// By its name, which is checked.
const engine_kind& kind_of(std::string_view name);

}  // namespace gossamer::spanning_forest_detail
