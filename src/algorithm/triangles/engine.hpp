// What an engine of triangles does, and what it is made from (driver/engine_kind.hpp).
#pragma once

#include <memory>
#include <string_view>

#include "algorithm/driver/engine_kind.hpp"
#include "algorithm/triangles/planning.hpp"
#include "gossamer/algorithm/triangles.hpp"

namespace gossamer::triangles_detail {

/// Prepared for a graph on a machine.
class engine {
 public:
  virtual ~engine() = default;
  /// Fills counts, pairs, the total, times and phases of `result`.
  virtual void run(const run_options& options, triangles_result& result) = 0;
};

/// What an engine is made from.
struct preparation {
  machine& on;
  const graph& of;                   ///< without the weights that nobody looks at
  const triangles_options& options;  ///< checked; the engine by its name
};

using engine_kind = algorithm_detail::engine_kind<engine, preparation, problem, triangles_options>;

/// By its name, which is checked.
const engine_kind& kind_of(std::string_view name);

}  // namespace gossamer::triangles_detail
