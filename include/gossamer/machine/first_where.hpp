// The first index at which something is wrong, found by a CPU team.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <limits>
#include <stop_token>
#include <string>

#include "gossamer/base/error.hpp"
#include "gossamer/machine/executor.hpp"

namespace gossamer {

inline constexpr std::int64_t nowhere = std::numeric_limits<std::int64_t>::max();

/// The smallest index that `bad(i)` is true for, `nowhere` when there is none. cancelled_error,
/// which begins with `what`, when a stop was requested: it is looked for before each piece.
template <class F>
std::int64_t first_where(std::int64_t n, int threads, const std::stop_token& stop, const char* what,
                         const F& bad) {
  std::atomic<std::int64_t> first{nowhere};
  constexpr std::int64_t piece = 4096;
  for_pieces({threads}, n, piece, [&](std::int64_t begin, std::int64_t end) {
    if (begin > first.load(std::memory_order_relaxed) || stop.stop_requested()) return;
    for (std::int64_t i = begin; i < end; ++i) {
      if (!bad(i)) continue;
      std::int64_t seen = first.load();
      while (i < seen && !first.compare_exchange_weak(seen, i)) {
      }
      break;
    }
  });
  if (stop.stop_requested()) throw cancelled_error(std::string(what) + ": stopped");
  return first.load();
}

}  // namespace gossamer
