// Lanes of a schedule (step::lane): what has to hold so that they may run side by side.
#pragma once

#include <string>
#include <vector>

#include "gossamer/collective/schedule.hpp"

namespace gossamer {

/// Lanes that run side by side, as streams; lane l is in stream l % most_lanes.
inline constexpr int most_lanes = 4;

/// What is wrong with a rank's lanes, or nothing: two lanes must not touch common memory, here or
/// at a peer, unless both only read; and what a lane puts to a peer is told by a signal of that
/// lane. O(steps^2).
std::string check_lanes(const rank_schedule& part);
/// The same of all ranks together; and where a rank waits for what a lane then reads, it has to do
/// so in that lane, or in none.
std::string check_lanes(const std::vector<rank_schedule>& parts);

}  // namespace gossamer
