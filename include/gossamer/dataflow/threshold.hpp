// The threshold of soft priorities: items up to it are worked on, and the rest is deferred until
// all ranks have run out of such items. Then it moves to the smallest deferred priority plus
// `delta`.
//
// The order inside a window is free, so a window is a step of Δ-stepping (Meyer, Sanders, J.
// Algorithms 49, 2003) without phases. Windows that are too narrow cost a round of agreement for
// little work; in windows that are too wide, work is repeated. Which width is right depends on
// weights, degrees and ranks. So it adapts, from sums that all ranks have anyway. It is halved when
// more than an eighth of a window's items were repeated. It is doubled when the window held less
// than `worth` items a rank and next to none was repeated. All ranks compute the same threshold
// from the same sums.
//
// A rank need not wait for a window's end. While more than half of what it works on is repeated, it
// halves its own window, and defers what is beyond. Otherwise a run of few windows would end before
// they had the time to adapt: widest paths have all their values in one.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "gossamer/collective/termination.hpp"

namespace gossamer {

class priority_threshold {
 public:
  /// `delta`: width of the first window, > 0. `ordered` false: every item is below. `least`: no
  /// window is narrower; 0: a 1,024th of the first.
  priority_threshold(bool ordered, double delta, int ranks, double least = 0)
      : delta_(delta), least_(least > 0 ? least : delta / 1024), ranks_(ranks) {
    if (ordered) value_ = -std::numeric_limits<double>::infinity();
  }
  /// Items of a larger priority are deferred. At first that is all of them.
  [[nodiscard]] double value() const noexcept { return value_; }
  [[nodiscard]] double delta() const noexcept { return delta_; }

  /// A window is over; `totals` are of all ranks, and something is deferred.
  void advance(const work_report& totals) {
    adapt(static_cast<double>(totals.finished - finished_),
          static_cast<double>(totals.repeated - repeated_));
    finished_ = totals.finished;
    repeated_ = totals.repeated;
    value_ = totals.deferred + delta_;
  }

  /// Of this rank's window, before its end. False: it is as narrow as can be.
  bool narrow() {
    const double narrower = std::max(delta_ / 2, least_);
    if (!(narrower < delta_)) return false;
    value_ -= delta_ - narrower;
    delta_ = narrower;
    return true;
  }

 private:
  static constexpr double worth = 4096;

  void adapt(double items, double repeated) {
    if (items == 0) return;  // before the first window
    if (repeated > items / 8)
      delta_ = std::max(delta_ / 2, least_);
    else if (items < worth * ranks_ && repeated <= items / 32)
      delta_ *= 2;
  }

  double value_ = std::numeric_limits<double>::infinity();
  double delta_, least_;
  int ranks_;
  std::uint64_t finished_ = 0, repeated_ = 0;
};

}  // namespace gossamer
