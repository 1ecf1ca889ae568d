// Whether a run's idle ranks may get work from others (dataflow/balance.hpp), and the room for it.
#pragma once

#include <cstdint>
#include <string>

#include "gossamer/dataflow/balance.hpp"
#include "gossamer/machine/machine.hpp"

namespace gossamer::algorithm_detail {

/// usage_error for a name that is none, and for another engine than async, whose worklist it is of;
/// not_compiled on GPUs. `engine`: that runs, by its name.
void check_balance(const std::string& algorithm, const std::string& balance,
                   const std::string& engine, const machine& m);

/// As an algorithm is asked for it by name: room for as many of the `arcs` as a rank has in the
/// mean.
balance_options balance_of(const std::string& algorithm, const std::string& balance,
                           std::int64_t arcs, int ranks);

}  // namespace gossamer::algorithm_detail
