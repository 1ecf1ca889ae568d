// What ranks bring back from a run. Where ranks are processes all are told; a result shows the
// times of one.
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

/// The outcome of the rank that took longest, the first of equals; there is one at least. Its
/// phases add up to its time. The longest of each phase would not, where one rank waits in one
/// phase and another in the next.
template <class Outcome>
const Outcome& slowest_rank(const std::vector<Outcome>& outcomes,
                            double Outcome::*seconds = &Outcome::seconds) {
  return *std::max_element(
      outcomes.begin(), outcomes.end(),
      [seconds](const Outcome& a, const Outcome& b) { return a.*seconds < b.*seconds; });
}

/// What one rank's measured phases leave of its time. Clocks read at several places may leave a
/// little less than nothing.
inline double rest_of(double seconds, std::initializer_list<double> phases) {
  for (const double phase : phases) seconds -= phase;
  return std::max(0.0, seconds);
}

}  // namespace gossamer::algorithm_detail
