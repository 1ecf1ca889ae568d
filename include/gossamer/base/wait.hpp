// Bounded waits: spin, then yield, then sleep, never for ever.
//
// Two threads that share a core must not burn the time slice the other one needs: after `spins`
// polls a waiter yields, after `yields` more it sleeps in growing steps up to 100 us.
#pragma once

#include <chrono>
#include <cstdint>

namespace gossamer {

using steady = std::chrono::steady_clock;

/// One relaxed moment between two polls; what it costs grows with the number of calls.
class backoff {
 public:
  /// `spins`: polls before the first yield; 0 when cores are oversubscribed.
  explicit backoff(std::uint32_t spins = 2000) : spins_(spins) {}
  /// Waits a little. Returns true on "slow" calls (about every 2000 polls and every sleep): the
  /// moment to look at clocks, abort records and cancellation.
  bool pause();

 private:
  std::uint32_t spins_;
  std::uint64_t polls_ = 0;
};

}  // namespace gossamer
