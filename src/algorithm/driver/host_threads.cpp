// Counts the threads of ranks, and those worth using beside runs, when the ranks rest.
#include "algorithm/driver/host_threads.hpp"

#include <algorithm>

namespace gossamer::algorithm_detail {

int threads_of(const machine& m) {
  int threads = 0;
  for (int r = 0; r < m.size(); ++r) threads += m[r].threads;
  return threads;
}

int threads_before_runs(const machine& m, std::int64_t arcs) {
  constexpr std::int64_t worth_a_team = std::int64_t{1} << 16;
  if (arcs < worth_a_team || m[0].model != nullptr) return 1;
  return m[0].is_cuda() ? host().cores : std::clamp(threads_of(m), 1, host().cores);
}

int threads_here(const machine& m) {
  if (m.all_here()) return 0;
  int threads = 0;
  for (int r = 0; r < m.size(); ++r)
    if (m.here(r)) threads += m[r].threads;
  return threads;
}

int threads_beside_runs(const machine& m, std::int64_t items) {
  constexpr std::int64_t worth_threads = std::int64_t{1} << 22;
  if (items < worth_threads) return 1;
  int threads = 0;
  for (int r = 0; r < m.size(); ++r) {
    if (!m.here(r)) continue;
    if (m[r].is_cuda()) return host().cores;
    if (m[r].model == nullptr) threads += m[r].threads;
  }
  return std::clamp(threads, 1, host().cores);
}

}  // namespace gossamer::algorithm_detail
