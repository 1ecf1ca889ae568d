// Which engine runs sssp, components or pagerank, and why.
#pragma once

#include <string>

#include "gossamer/machine/machine.hpp"

namespace gossamer::algorithm_detail {

/// An engine, and the reason for it in words.
struct engine_choice {
  std::string name, reason;
};

/// What an algorithm has beside sync everywhere and async on CPU ranks.
struct engines_offered {
  bool async_on_gpus = false, tasks = false;
};

/// auto | sync | async, and tasks where that is offered; other names throw usage_error. auto is
/// sync, for the reason `why_sync`. GPU ranks run what is offered for them where all are GPUs of
/// this process; else not_compiled.
engine_choice choose_engine(const std::string& algorithm, const std::string& asked,
                            const machine& m, const std::string& why_sync,
                            const engines_offered& offered = {});

}  // namespace gossamer::algorithm_detail
