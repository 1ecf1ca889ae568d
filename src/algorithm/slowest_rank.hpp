// The rank whose times a result shows: the one that took longest. Its phases add up to its time;
// the longest of each phase would not, where one rank waits in one and another in the next.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <vector>

namespace gossamer::algorithm_detail {

/// Of outcomes of all ranks, one at least; the first of equals.
template <class Outcome>
const Outcome& slowest_rank(const std::vector<Outcome>& outcomes,
                            double Outcome::*seconds = &Outcome::seconds) {
  return *std::max_element(
      outcomes.begin(), outcomes.end(),
      [seconds](const Outcome& a, const Outcome& b) { return a.*seconds < b.*seconds; });
}

/// What one rank's measured phases leave of its time; clocks read at several places may leave a
/// little less than nothing.
inline double rest_of(double seconds, std::initializer_list<double> phases) {
  for (const double phase : phases) seconds -= phase;
  return std::max(0.0, seconds);
}

}  // namespace gossamer::algorithm_detail
