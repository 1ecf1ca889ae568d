// Loops of a CPU team. for_each has a CUDA twin in executor_cuda.cuh; algorithms are templates on
// the executor, instantiated once in a .cpp and once in a .cu, with named functors (never lambdas).
#pragma once

#include <algorithm>
#include <cstdint>

#include "gossamer/base/team.hpp"
#include "gossamer/machine/device.hpp"

namespace gossamer {

/// A team of `threads` OpenMP threads. One thread opens no parallel region; a caller compiled
/// without OpenMP gets one thread, the pragma being ignored.
struct cpu_team {
  int threads = 1;

  /// Before a parallel region. error where the system refuses so many threads.
  void gather() const {
#ifdef _OPENMP
    require_team(threads);
#endif
  }
};

/// Calls f(i) for i in [0, n), any order, in parallel; returns when all are done. `f` is shared by
/// the team's threads, and must not throw when there are several.
template <class F>
void for_each(const cpu_team& team, std::int64_t n, F f) {
  if (team.threads > 1 && n > 1) {
    team.gather();
#pragma omp parallel for schedule(static) num_threads(team.threads)
    for (std::int64_t i = 0; i < n; ++i) f(i);
    return;
  }
  for (std::int64_t i = 0; i < n; ++i) f(i);
}

/// Calls f(first, last) for pieces of [0, n), each `piece` long but the last, as threads ask for
/// them: for work that differs from piece to piece. As for_each() otherwise.
template <class F>
void for_pieces(const cpu_team& team, std::int64_t n, std::int64_t piece, const F& f) {
  if (team.threads > 1 && n > piece) {
    team.gather();
#pragma omp parallel for schedule(dynamic, 1) num_threads(team.threads)
    for (std::int64_t first = 0; first < n; first += piece) f(first, std::min(n, first + piece));
    return;
  }
  for (std::int64_t first = 0; first < n; first += piece) f(first, std::min(n, first + piece));
}

/// The same with f(first, last, sum): each thread has a sum of its own, which begins as Sum(). What
/// they add up to by +=, in any order.
template <class Sum, class F>
Sum sum_pieces(const cpu_team& team, std::int64_t n, std::int64_t piece, const F& f) {
  Sum all{};
  if (team.threads > 1 && n > piece) {
    team.gather();
#pragma omp parallel num_threads(team.threads)
    {
      Sum own{};
#pragma omp for schedule(dynamic, 1) nowait
      for (std::int64_t first = 0; first < n; first += piece)
        f(first, std::min(n, first + piece), own);
#pragma omp critical
      all += own;
    }
    return all;
  }
  for (std::int64_t first = 0; first < n; first += piece) f(first, std::min(n, first + piece), all);
  return all;
}

}  // namespace gossamer
