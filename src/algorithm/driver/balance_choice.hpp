// Whether a run's idle ranks may get work from others (dataflow/distributed_worklist.hpp).
#pragma once

#include <string>

#include "gossamer/machine/machine.hpp"

namespace gossamer::algorithm_detail {

/// By name: none | steal, else usage_error. `algorithm` is what the error calls the asker.
bool steals(const std::string& algorithm, const std::string& balance);

/// usage_error for a name that is none, and for another engine than async, whose worklist it is of;
/// not_compiled on GPUs. `engine`: that runs, by its name.
void check_balance(const std::string& algorithm, const std::string& balance,
                   const std::string& engine, const machine& m);

}  // namespace gossamer::algorithm_detail
