// Whether the worklist of a run works in the rough order of priorities (dataflow/threshold.hpp), or
// first in, first out, which is what that order is compared with.
#pragma once

#include <limits>
#include <string>

#include "gossamer/machine/machine.hpp"

namespace gossamer::algorithm_detail {

/// A window that no priority is beyond, for worklists that always have one: first in, first out.
constexpr double one_window = std::numeric_limits<double>::max() / 4;

/// By name: soft | none, else usage_error. `algorithm` is what the error calls the asker.
bool soft_priority(const std::string& algorithm, const std::string& priority);

/// usage_error for a name that is none, and for none with another engine than async, whose worklist
/// it is of; not_compiled on GPUs, whose worklists have windows of their own. `engine`: that runs,
/// by its name.
void check_priority(const std::string& algorithm, const std::string& priority,
                    const std::string& engine, const machine& m);

}  // namespace gossamer::algorithm_detail
