// How many threads of a rank a short pass over rows and arcs is worth.
#pragma once

#include <cstdint>

namespace gossamer::algorithm_detail {

/// Arcs that others must take off one thread in a pass for a team to be worth it. A team ends its
/// pass together: where another process holds the core of one of them, that is when the system
/// gives it back, some milliseconds later, and again in the next pass. One thread reads so many
/// arcs in about half a millisecond.
inline constexpr std::int64_t arcs_worth_a_team = std::int64_t{1} << 19;

inline int threads_worth(std::int64_t arcs, int threads) {
  return arcs - arcs / threads < arcs_worth_a_team ? 1 : threads;
}

}  // namespace gossamer::algorithm_detail
