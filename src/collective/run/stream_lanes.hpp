// Lanes of a schedule (step::lane) as streams of a GPU rank: the copy engines work for one lane
// while another raises a signal, sums up or waits.
//
// What orders them is added to the actions: a fork, after which all lanes have seen what the plan's
// own stream does, and a join, after which it has seen what they do. Streams are fed in the order
// of the steps, so that none ever waits for what is queued behind it: an engine, which takes its
// copies in that order (src/machine/cuda/copies.cu), cannot get stuck.
#pragma once

#include <vector>

#include "collective/run/plan_state.hpp"
#include "collective/schedule/lanes.hpp"

namespace gossamer {

class stream_lanes {
 public:
  /// Takes streams and events for a plan's lanes.
  explicit stream_lanes(collective_plan::state& plan) {
    const int device = plan.r->dev().ordinal;
    for (std::size_t i = 0; i < most_lanes; ++i) {
      plan.lanes.push_back(&plan.r->extra_stream(i));
      plan.joined.emplace_back(device);
    }
    plan.forked = event(device);
  }
  /// action::lane of a step.
  [[nodiscard]] static int of(const step& s) { return s.lane < 0 ? -1 : s.lane % most_lanes; }

  /// Before the actions of step s. A wait of no lane holds for what follows in all; any other step
  /// of no lane also follows all that lanes have done.
  void enter(const step& s, std::vector<action>& into) {
    if (s.kind == step_kind::flush) return;  // nothing in a stream
    if (s.lane < 0) {
      if (s.kind != step_kind::wait) join(into);
      ahead_ = true;
      return;
    }
    if (ahead_) add(action::kind::fork, into);
    ahead_ = false;
    open_ = true;
  }
  /// After the last step of an epoch.
  void finish(std::vector<action>& into) {
    join(into);
    ahead_ = true;
  }

 private:
  void join(std::vector<action>& into) {
    if (open_) add(action::kind::join, into);
    open_ = false;
  }
  static void add(action::kind what, std::vector<action>& into) {
    action a;
    a.what = what;
    into.push_back(a);
  }

  bool ahead_ = true;  ///< the plan's stream may do what lanes have not seen
  bool open_ = false;  ///< lanes may do what it has not seen
};

}  // namespace gossamer
