// How many threads of the host work for a machine beside its runs.
#pragma once

#include <cstdint>

#include "gossamer/machine/machine.hpp"

namespace gossamer::algorithm_detail {

/// Of all ranks, wherever they are.
int threads_of(const machine& m);
/// For a pass over `arcs` before runs: those of the ranks, all cores where they are GPUs; one where
/// there is not enough to do for several, and for modelled ranks.
int threads_before_runs(const machine& m, std::int64_t arcs);
/// Before runs: where ranks are processes, the threads of those that are here, else 0 (all cores).
int threads_here(const machine& m);
/// For a pass over `items` values before or after a run: as many threads as the teams of this
/// process have, and all cores where there are GPUs, whose threads wait. One for a pass that ends
/// sooner than OpenMP's threads fall asleep: for a millisecond and more they would take cores from
/// the ranks of the next run.
int threads_beside_runs(const machine& m, std::int64_t items);

}  // namespace gossamer::algorithm_detail
