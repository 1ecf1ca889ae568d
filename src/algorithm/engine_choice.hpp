// Which engine runs sssp, components or pagerank, and why.
#pragma once

#include <string>

#include "gossamer/machine/machine.hpp"

namespace gossamer::algorithm_detail {

/// An engine, and the reason for it in words.
struct engine_choice {
  std::string name, reason;
};

/// auto | sync | async; other names throw usage_error, machines with ranks that are no CPU's
/// not_compiled. auto is sync, for the reason `why_sync`.
engine_choice choose_engine(const std::string& algorithm, const std::string& asked,
                            const machine& m, const std::string& why_sync);

}  // namespace gossamer::algorithm_detail
