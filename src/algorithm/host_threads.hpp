// How many threads of the host work for a machine beside its runs.
#pragma once

#include "gossamer/machine/machine.hpp"

namespace gossamer::algorithm_detail {

/// Before runs: where ranks are processes, those of the ranks that are here, else 0 (all cores).
int threads_here(const machine& m);
/// For passes over results: as many as the teams of this process have, and all cores where there
/// are GPUs, whose threads wait.
int threads_after_run(const machine& m);

}  // namespace gossamer::algorithm_detail
