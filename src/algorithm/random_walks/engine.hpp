// What an engine of random walks does, and what it is made from (driver/engine_kind.hpp).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "algorithm/driver/engine_kind.hpp"
#include "algorithm/random_walks/planning.hpp"
#include "gossamer/algorithm/random_walks.hpp"

namespace gossamer::random_walks_detail {

/// None: all vertices.
using asked_sources = std::optional<std::span<const std::int64_t>>;

/// Prepared for a graph on a machine.
class engine {
 public:
  virtual ~engine() = default;
  /// Fills walks, counts, times and phases of `result`; sources are checked.
  virtual void run(const run_options& options, const asked_sources& sources,
                   random_walks_result& result) = 0;
};

/// What an engine is made from.
struct preparation {
  machine& on;
  const graph& of;                      ///< with weights that are checked, if walks are weighted
  const random_walks_options& options;  ///< checked; the engine by its name
};

using engine_kind =
    algorithm_detail::engine_kind<engine, preparation, problem, random_walks_options>;

/// By its name, which is checked.
const engine_kind& kind_of(std::string_view name);

}  // namespace gossamer::random_walks_detail
