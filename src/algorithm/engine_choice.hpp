// Which engine runs sssp, components or pagerank, and why.
#pragma once

#include <string>

#include "gossamer/machine/machine.hpp"

namespace gossamer::algorithm_detail {

/// An engine, and the reason for it in words.
struct engine_choice {
  std::string name, reason;
};

/// auto | sync | async, and with `tasks` tasks; other names throw usage_error. auto is sync, for
/// the reason `why_sync`. GPU ranks run sync and async where all are GPUs of this process; else
/// not_compiled.
engine_choice choose_engine(const std::string& algorithm, const std::string& asked,
                            const machine& m, const std::string& why_sync, bool tasks = false);

}  // namespace gossamer::algorithm_detail
