// What an engine of distances does, and what it is made from (driver/engine_kind.hpp).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "algorithm/distances/planning.hpp"
#include "algorithm/driver/engine_kind.hpp"
#include "gossamer/algorithm/distances.hpp"

namespace gossamer::distances_detail {

/// What one run is asked for; vertices are checked.
struct request {
  std::optional<std::span<const std::int64_t>> sources;  ///< none: all vertices
  std::optional<std::span<const std::int64_t>> targets;  ///< none: no matrix
};

/// Prepared for a graph on a machine.
class engine {
 public:
  virtual ~engine() = default;
  /// Fills numbers, counts, times and phases of `result`.
  virtual void run(const run_options& options, const request& asked, distances_result& result) = 0;
};

/// What an engine is made from.
struct preparation {
  machine& on;
  const graph& of;                   ///< without weights
  const distances_options& options;  ///< checked; the engine by its name
};

using engine_kind = algorithm_detail::engine_kind<engine, preparation, problem, distances_options>;

/// By its name, which is checked.
const engine_kind& kind_of(std::string_view name);

}  // namespace gossamer::distances_detail
