// The first index at which something is wrong: the loop of verifiers.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <limits>
#include <stop_token>
#include <string>

#include "gossamer/base/error.hpp"

namespace gossamer::algorithm_detail {

inline constexpr std::int64_t nowhere = std::numeric_limits<std::int64_t>::max();

/// The smallest index that `bad(i)` is true for, `nowhere` when there is none. cancelled_error,
/// which begins with `what`, when a stop was requested: it is looked for before each piece.
template <class F>
std::int64_t first_where(std::int64_t n, int threads, const std::stop_token& stop, const char* what,
                         const F& bad) {
  std::atomic<std::int64_t> first{nowhere};
  constexpr std::int64_t piece = 4096;
  static_cast<void>(threads);
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads) if (threads > 1 && n > piece)
  for (std::int64_t begin = 0; begin < n; begin += piece) {
    if (begin > first.load(std::memory_order_relaxed) || stop.stop_requested()) continue;
    for (std::int64_t i = begin; i < std::min(n, begin + piece); ++i) {
      if (!bad(i)) continue;
      std::int64_t seen = first.load();
      while (i < seen && !first.compare_exchange_weak(seen, i)) {
      }
      break;
    }
  }
  if (stop.stop_requested()) throw cancelled_error(std::string(what) + ": stopped");
  return first.load();
}

}  // namespace gossamer::algorithm_detail
