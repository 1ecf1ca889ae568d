// Lanes of a schedule (step::lane): what has to hold so that they may run side by side.
#pragma once

#include <string>

#include "gossamer/collective/schedule.hpp"

namespace gossamer {

/// What is wrong with a rank's lanes, or nothing: two lanes must not touch common memory, here or
/// at a peer, unless both only read; and what a lane puts to a peer is told by a signal of that
/// lane. O(steps^2).
std::string check_lanes(const rank_schedule& part);

}  // namespace gossamer
