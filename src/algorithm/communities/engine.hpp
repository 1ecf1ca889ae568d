// What an engine of communities does, and what it is made from (driver/engine_kind.hpp).
#pragma once

#include <memory>
#include <string_view>

#include "algorithm/communities/planning.hpp"
#include "algorithm/driver/engine_kind.hpp"
#include "gossamer/algorithm/communities.hpp"

namespace gossamer::communities_detail {

/// Prepared for a graph on a machine.
class engine {
 public:
  virtual ~engine() = default;
  /// Fills labels, counts, times and phases of `result`.
  virtual void run(const run_options& options, communities_result& result) = 0;
};

/// What an engine is made from.
struct preparation {
  machine& on;
  const graph& of;                     ///< undirected, weights of zero or more
  const communities_options& options;  ///< checked; the engine by its name
};

using engine_kind =
    algorithm_detail::engine_kind<engine, preparation, problem, communities_options>;

/// By its name, which is checked.
const engine_kind& kind_of(std::string_view name);

}  // namespace gossamer::communities_detail
