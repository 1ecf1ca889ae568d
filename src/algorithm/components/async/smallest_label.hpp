// The operator of components without phases, on CPUs and GPUs.
#pragma once

#include "gossamer/base/ids.hpp"

namespace gossamer::components_detail {

/// Less than the distance of two labels: the first window has one label alone.
inline constexpr double one_label = 0.5;

/// A vertex's label is the smallest that has reached it.
template <class Id>
struct smallest_label {
  using value = Id;
  /// None is below zero.
  static constexpr bool smaller_word_wins = true;
  GOSSAMER_HD static bool update(Id& at, const Id& incoming) {
    if (incoming >= at) return false;
    at = incoming;
    return true;
  }
  template <class Arc>
  GOSSAMER_HD static Id propagate(const Id& from, const Arc&) {
    return from;
  }
  GOSSAMER_HD static double priority(const Id& at) { return static_cast<double>(at); }
};

}  // namespace gossamer::components_detail
