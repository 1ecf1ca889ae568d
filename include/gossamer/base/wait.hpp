// Bounded waits: spin, then yield, then sleep, never for ever.
//
// Two threads that share a core must not burn the time slice the other one needs. So after `spins`
// polls a waiter yields a few times, then it sleeps in growing steps up to 100 us. It yields only a
// few times because a yield among strangers that compute gives a whole time slice away (3 ms each
// on Linux 6), while a thread that slept is scheduled at once when it wakes.
//
// A waiter that has a resting_place can be woken before its step is over by whoever changes what it
// waits for. Waking is a help and never a need: the steps bound every sleep.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "gossamer/base/atomics.hpp"

namespace gossamer {

using steady = std::chrono::steady_clock;

/// The time that a waiter has watched. Who was stopped (SIGSTOP, Ctrl-Z) or starved meanwhile knows
/// nothing of those it waits for: however late a look comes, it counts as an eighth of the
/// deadline.
class watchful_clock {
 public:
  explicit watchful_clock(std::chrono::nanoseconds deadline)
      : most_(deadline / 8), looked_(steady::now()) {}
  /// Now, at a look: since the clock was made.
  std::chrono::nanoseconds look() {
    const auto now = steady::now();
    watched_ += std::min<std::chrono::nanoseconds>(now - looked_, most_);
    looked_ = now;
    return watched_;
  }

 private:
  std::chrono::nanoseconds most_, watched_{0};
  steady::time_point looked_;
};

/// Sleeps until `word` is no longer `value`, somebody wakes it, or `limit` is over; may return
/// early for no reason.
void sleep_on(const std::uint32_t& word, std::uint32_t value, std::chrono::nanoseconds limit);
/// Wakes `count` (default: all) threads that sleep on `word`.
void wake_sleepers(std::uint32_t& word, int count = 0x7fffffff);

/// Where one thread sleeps, and others wake it.
///
/// The sleeper announces itself, looks at its condition once more, then sleeps. The other side
/// changes the condition, then looks for the announcement. There is no fence between the last two,
/// which would cost every signal 10 ns. So a store may still be on its way when the announcement is
/// read as absent, and this wake-up is then lost. The sleeper notices at the end of its step.
class alignas(64) resting_place {
 public:
  /// Called after the change that may end the sleeper's wait. Costs one load when nobody sleeps.
  void wake() {
    if (std_atomics::load_relaxed(asleep_) == 0) return;
    if (std_atomics::compare_and_swap(asleep_, 1u, 0u) == 1) wake_sleepers(asleep_, 1);
  }

 private:
  friend class backoff;
  std::uint32_t asleep_ = 0;
};

/// One relaxed moment between two polls; what it costs grows with the number of calls.
class backoff {
 public:
  /// `spins`: polls before the first yield; 0 when cores are oversubscribed. `place`: where this
  /// thread, and no other at the same time, can be woken.
  explicit backoff(std::uint32_t spins = 2000, resting_place* place = nullptr)
      : spins_(spins), place_(place) {}
  ~backoff() {
    if (announced_) std_atomics::store_relaxed(place_->asleep_, 0u);
  }
  backoff(const backoff&) = delete;
  backoff& operator=(const backoff&) = delete;
  /// Waits a little. Returns true on "slow" calls (about every 2000 polls and every sleep): the
  /// moment to look at clocks, abort records and cancellation.
  bool pause();

 private:
  void announce();
  std::uint32_t spins_;
  bool announced_ = false;
  std::uint64_t polls_ = 0;
  resting_place* place_;
};

}  // namespace gossamer
