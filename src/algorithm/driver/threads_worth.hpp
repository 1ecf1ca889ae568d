// How many threads of a rank a short pass over rows and arcs is worth.
#pragma once

#include <cstdint>

namespace gossamer::algorithm_detail {

/// Arcs that others must take off one thread in a pass for a team to be worth it: some 15 us. A
/// team ends its pass together, so that on a busy host each pass lasts until the system gives the
/// core of the last one back; tiny problems must not wait for that. On free cores teams pay from
/// about here on (two of them: conjugate gradient with 31,000 arcs a pass 16 us either way, with
/// 230,000 135 and 90; pagerank with 426,000 149 and 99).
inline constexpr std::int64_t arcs_worth_a_team = std::int64_t{1} << 15;

inline int threads_worth(std::int64_t arcs, int threads) {
  return arcs - arcs / threads < arcs_worth_a_team ? 1 : threads;
}

}  // namespace gossamer::algorithm_detail
