// A way of finding components, prepared for a graph on a machine: what the driver runs.
#pragma once

#include "gossamer/algorithm/components.hpp"

namespace gossamer::components_detail {

class components_program {
 public:
  virtual ~components_program() = default;
  /// Fills labels, times, phases and work of `result`.
  virtual void run(const run_options& options, components_result& result) = 0;
};

}  // namespace gossamer::components_detail
