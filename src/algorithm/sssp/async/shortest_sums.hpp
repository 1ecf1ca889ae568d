// The operator of shortest paths on distributed worklists, on CPUs and GPUs.
#pragma once

#include "algorithm/sssp/weights.hpp"

namespace gossamer::sssp_detail {

/// The smallest sum wins.
template <class Distance>
struct shortest_sums {
  using value = Distance;
  /// None is below zero, and numbers of one sign have the order of their bits.
  static constexpr bool smaller_word_wins = true;
  GOSSAMER_HD static bool update(Distance& at, const Distance& incoming) {
    if (!(incoming < at)) return false;
    at = incoming;
    return true;
  }
  /// Sums that do not fit are "not reached", which shortens nothing: an integer's sum has wrapped
  /// when it is less than what was added to, a float's is infinite by itself.
  template <class Arc>
  GOSSAMER_HD static Distance propagate(const Distance& from, const Arc& along_it) {
    const Distance sum = along<Distance>(from, along_it.weight);
    return sum < from ? unreached<Distance> : sum;
  }
  GOSSAMER_HD static double priority(const Distance& at) { return static_cast<double>(at); }
  GOSSAMER_HD static Distance of_priority(const shortest_sums&, double priority) {
    return static_cast<Distance>(priority);
  }
};

}  // namespace gossamer::sssp_detail
