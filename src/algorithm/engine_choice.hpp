// Which engine runs sssp, components or pagerank, and why.
#pragma once

#include <string>

#include "gossamer/machine/machine.hpp"

namespace gossamer::algorithm_detail {

/// An engine, and the reason for it in words.
struct engine_choice {
  std::string name, reason;
};

/// auto | sync; async throws not_compiled and says what is missing, other names usage_error.
/// not_compiled as well for machines with ranks that are no CPU's.
engine_choice choose_engine(const std::string& algorithm, const std::string& asked,
                            const machine& m);

}  // namespace gossamer::algorithm_detail
