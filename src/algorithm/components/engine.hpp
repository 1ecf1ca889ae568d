// The form of an engine of components: what it is, what it takes, and how it is made. Each engine's
// folder has one `engine_kind`; table.cpp lists them, and everything else goes by that list.
#pragma once

#include <memory>
#include <string_view>

#include "algorithm/components/planning.hpp"
#include "gossamer/algorithm/components.hpp"
#include "gossamer/algorithm/option_table.hpp"

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

struct engine_kind {
  engine_info info;
  bool owns_rows = true;         ///< the graph is placed
  bool both_directions = false;  ///< with in-arcs
  /// Declares what ranks take: their own memory and windows.
  void (*declare)(algorithm_detail::memory_layout& layout, const machine& m, const problem& p,
                  const components_options& options) = nullptr;
  std::unique_ptr<engine> (*make)(const preparation& from) = nullptr;
};

/// By its name, which is checked.
const engine_kind& kind_of(std::string_view name);

}  // namespace gossamer::components_detail
