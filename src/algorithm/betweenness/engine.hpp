// What an engine of betweenness does, and what it is made from (driver/engine_kind.hpp).
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "algorithm/betweenness/planning.hpp"
#include "algorithm/driver/engine_kind.hpp"
#include "gossamer/algorithm/betweenness.hpp"

namespace gossamer::betweenness_detail {

/// Prepared for a graph on a machine.
class engine {
 public:
  virtual ~engine() = default;
  /// From these sources, which are checked; empty: from all vertices. Fills scores, as sums that
  /// are not scaled, and counts, times and phases of `result`.
  virtual void run(std::span<const std::int64_t> sources, const run_options& options,
                   betweenness_result& result) = 0;
};

/// What an engine is made from.
struct preparation {
  machine& on;
  const graph& of;                     ///< without weights
  const betweenness_options& options;  ///< checked; the engine by its name
};

using engine_kind =
    algorithm_detail::engine_kind<engine, preparation, problem, betweenness_options>;

/// By its name, which is checked.
const engine_kind& kind_of(std::string_view name);

}  // namespace gossamer::betweenness_detail
