// for_each on a CPU team. The CUDA twin is executor_cuda.cuh; algorithms are templates on the
// executor, instantiated once in a .cpp and once in a .cu, with named functors (never lambdas).
#pragma once

#include <cstdint>

#include "gossamer/machine/device.hpp"

namespace gossamer {

/// A team of `threads` OpenMP threads. One thread opens no parallel region; a caller compiled
/// without OpenMP gets one thread, the pragma being ignored.
struct cpu_team {
  int threads = 1;
};

/// Calls f(i) for i in [0, n), any order, in parallel; returns when all are done. `f` is shared by
/// the team's threads, and must not throw when there are several.
template <class F>
void for_each(const cpu_team& team, std::int64_t n, F f) {
  if (team.threads > 1 && n > 1) {
#pragma omp parallel for schedule(static) num_threads(team.threads)
    for (std::int64_t i = 0; i < n; ++i) f(i);
    return;
  }
  for (std::int64_t i = 0; i < n; ++i) f(i);
}

}  // namespace gossamer
