// Which engine runs sssp, components or pagerank, and why.
#pragma once

#include <cstdint>
#include <string>

#include "gossamer/machine/machine.hpp"

namespace gossamer::algorithm_detail {

/// An engine, and the reason for it in words.
struct engine_choice {
  std::string name, reason;
};

/// What runs on machines whose ranks are all GPUs of this process.
enum class gpu_engines : std::uint8_t { sync, both };

/// auto | sync | async; other names throw usage_error, ranks that the engine cannot run on
/// not_compiled. auto is sync, for the reason `why_sync`.
engine_choice choose_engine(const std::string& algorithm, const std::string& asked,
                            const machine& m, const std::string& why_sync,
                            gpu_engines on_gpus = gpu_engines::sync);

}  // namespace gossamer::algorithm_detail
