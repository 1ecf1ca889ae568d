// Which engine runs sssp, components or pagerank, and why.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include "gossamer/machine/machine.hpp"

namespace gossamer::algorithm_detail {

/// An engine, and the reason for it in words.
struct engine_choice {
  std::string name, reason;
};

/// auto | sync | async | those of `further`; other names throw usage_error. auto is sync, for the
/// reason `why_sync`. GPU ranks, where all are GPUs of this process, run sync, async, host (the
/// worklist of async, driven by host threads), which CPU ranks do not, and routed; else
/// not_compiled.
engine_choice choose_engine(const std::string& algorithm, const std::string& asked,
                            const machine& m, const std::string& why_sync,
                            std::initializer_list<std::string_view> further = {});

/// usage_error unless there are GPUs, for an algorithm that is asked for engine host.
void require_gpus_for_host(const std::string& algorithm, bool gpus);

}  // namespace gossamer::algorithm_detail
