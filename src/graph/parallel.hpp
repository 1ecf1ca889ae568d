// Parallel loops over blocks for the graph layer; the only place of the layer with OpenMP pragmas.
//
// One thread opens no parallel region (a rank with one thread must not wake a team), and exceptions
// cross the region: the first one thrown is rethrown to the caller. Long work looks at a stop token
// before each block; blocks are cut so that one takes milliseconds.
#pragma once

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <mutex>
#include <stop_token>
#include <string>
#include <vector>

#include "gossamer/base/error.hpp"
#include "gossamer/base/ids.hpp"
#include "gossamer/base/team.hpp"

namespace gossamer::detail {

/// The number asked for, or all cores this process may use when it is 0.
inline int resolve_threads(int threads) {
  if (threads > 0) return threads;
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) != 0) return 1;
  return std::max(1, CPU_COUNT(&set));
}

/// Throws cancelled_error("WHAT: stopped") when a stop was requested.
inline void check_stop(const std::stop_token& stop, const char* what) {
  if (stop.stop_requested()) throw cancelled_error(std::string(what) + ": stopped");
}

/// Looks at a stop token about once every 2^18 units of work (arcs, vertices): for serial sweeps.
class stop_watch {
 public:
  stop_watch(const std::stop_token& stop, const char* what) : stop_(stop), what_(what) {}
  void step(std::int64_t work = 1) {
    left_ -= work;
    if (left_ > 0) return;
    left_ = interval;
    check_stop(stop_, what_);
  }

 private:
  static constexpr std::int64_t interval = 1 << 18;
  const std::stop_token& stop_;
  const char* what_;
  std::int64_t left_ = interval;
};

/// Calls work(thread, block) once for every block in [0, blocks), in any order.
template <class Work>
void parallel_blocks(int threads, std::int64_t blocks, const Work& work) {
  threads = static_cast<int>(std::min<std::int64_t>(std::max(1, threads), blocks));
#ifdef _OPENMP
  if (threads > 1) {
    require_team(threads);
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

/// Adds up work(first, last, sum) over ranges of [0, items), in parallel; Sum needs operator+=.
/// Only sums, minima and maxima of integers are made this way, so that no schedule can show.
template <class Sum, class Work>
Sum sum_ranges(int threads, std::int64_t items, std::int64_t grain, const std::stop_token& stop,
               const char* what, const Work& work) {
  // A line of its own for each thread's sum: they are written all the time.
  struct alignas(128) padded {
    Sum sum{};
  };
  const std::int64_t blocks = (items + grain - 1) / grain;
  std::vector<padded> sums(std::max(1, threads));
  parallel_blocks(threads, blocks, [&](int thread, std::int64_t block) {
    check_stop(stop, what);
    const std::int64_t first = block * grain;
    work(first, std::min(first + grain, items), sums[thread].sum);
  });
  Sum total = std::move(sums[0].sum);
  for (std::size_t t = 1; t < sums.size(); ++t) total += sums[t].sum;
  return total;
}

/// The first of the rows [low, high) with as much work before it as `goal`, else `high`: row v
/// begins at work offsets[v] + v, a strictly rising sequence.
inline std::int64_t row_at(const edge_offset* offsets, std::int64_t low, std::int64_t high,
                           std::int64_t goal) {
  while (low < high) {
    const std::int64_t middle = low + (high - low) / 2;
    if (offsets[middle] + middle < goal)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/// Vertices of one piece of parallel work: enough to hide the dispatch, few enough to balance hubs.
inline constexpr std::int64_t vertex_grain = 2048;

}  // namespace gossamer::detail
