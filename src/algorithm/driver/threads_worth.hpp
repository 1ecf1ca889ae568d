// How many threads of a rank a short pass over rows and arcs is worth.
#pragma once

#include <cstdint>

namespace gossamer::algorithm_detail {

/// Arcs that others must take off one thread in a pass for a team to be worth it: some 15 us. A
/// team ends its pass together. So on a busy host each pass lasts until the system gives the last
/// one's core back, and tiny problems must not wait for that. On free cores teams pay from about
/// here on. With two threads, a pass of conjugate gradient over 31,000 arcs takes 16 us either way,
/// and over 230,000 it takes 90 instead of 135; pagerank with 426,000 takes 99 instead of 149.
inline constexpr std::int64_t arcs_worth_a_team = std::int64_t{1} << 15;

inline int threads_worth(std::int64_t arcs, int threads) {
  return arcs - arcs / threads < arcs_worth_a_team ? 1 : threads;
}

}  // namespace gossamer::algorithm_detail
