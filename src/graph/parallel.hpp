// Parallel loops over blocks for the graph layer; the only place of the layer with OpenMP pragmas.
//
// One thread opens no parallel region (a rank with one thread must not wake a team), and exceptions
// cross the region: the first one thrown is rethrown to the caller.
#pragma once

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <mutex>

namespace gossamer::detail {

/// The number asked for, or all cores this process may use when it is 0.
inline int resolve_threads(int threads) {
  if (threads > 0) return threads;
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) != 0) return 1;
  return std::max(1, CPU_COUNT(&set));
}

/// Calls work(thread, block) once for every block in [0, blocks), in any order.
template <class Work>
void parallel_blocks(int threads, std::int64_t blocks, const Work& work) {
  threads = static_cast<int>(std::min<std::int64_t>(std::max(1, threads), blocks));
#ifdef _OPENMP
  if (threads > 1) {
    std::atomic<std::int64_t> next{0};
    std::atomic<bool> failed{false};
    std::exception_ptr first;
    std::mutex guard;
    // Each iteration is one member of the team, which takes blocks until none is left.
#pragma omp parallel for num_threads(threads) schedule(static, 1)
    for (int thread = 0; thread < threads; ++thread) {
      try {
        while (!failed.load(std::memory_order_relaxed)) {
          const std::int64_t block = next.fetch_add(1, std::memory_order_relaxed);
          if (block >= blocks) break;
          work(thread, block);
        }
      } catch (...) {
        const std::scoped_lock lock(guard);
        if (!first) first = std::current_exception();
        failed.store(true, std::memory_order_relaxed);
      }
    }
    if (first) std::rethrow_exception(first);
    return;
  }
#endif
  for (std::int64_t block = 0; block < blocks; ++block) work(0, block);
}

}  // namespace gossamer::detail
