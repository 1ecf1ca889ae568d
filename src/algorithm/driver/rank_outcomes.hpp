// What ranks bring back from a run: told to all where they are processes, and the one whose times a
// result shows.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <span>
#include <vector>

#include "gossamer/fabric/rank.hpp"

namespace gossamer::algorithm_detail {

/// Collective: outcomes[r.id()] is this rank's; afterwards everybody's are there. Trivially
/// copyable ones.
template <class Outcome>
void gather_outcomes(rank& r, std::vector<Outcome>& outcomes) {
  const Outcome mine = outcomes[static_cast<std::size_t>(r.id())];
  r.exchange(std::as_bytes(std::span(&mine, 1)), std::as_writable_bytes(std::span(outcomes)));
}

/// Of outcomes of all ranks, one at least: the one that took longest, the first of equals. Its
/// phases add up to its time; the longest of each phase would not, where one rank waits in one and
/// another in the next.
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
