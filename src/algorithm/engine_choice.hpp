// Which engine runs sssp, components or pagerank, and why.
#pragma once

#include <string>

#include "gossamer/machine/machine.hpp"

namespace gossamer::algorithm_detail {

/// An engine, and the reason for it in words.
struct engine_choice {
  std::string name, reason;
};

/// auto | sync | async, with `tasks` tasks, with `host` host (the worklist of async on GPUs, driven
/// by host threads); other names throw usage_error. auto is sync, for the reason `why_sync`. GPU
/// ranks run all but tasks where all are GPUs of this process; else not_compiled.
engine_choice choose_engine(const std::string& algorithm, const std::string& asked,
                            const machine& m, const std::string& why_sync, bool tasks = false,
                            bool host = false);

}  // namespace gossamer::algorithm_detail
