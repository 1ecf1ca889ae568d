// run_lock: one run of a machine at a time. Who waits can be stopped, and gives up on a run that
// makes no progress. Private to the library.
#pragma once

#include <condition_variable>
#include <mutex>
#include <new>
#include <stop_token>

#include "gossamer/base/error.hpp"
#include "machine/run_signs.hpp"

namespace gossamer {

class run_lock {
 public:
  /// `mine` lives as long as the run. Throws cancelled_error when a stop is requested while another
  /// run has it, rank_error (timed out) when that one is stuck.
  void take(const run_signs& mine, const std::stop_token& stop) {
    turn_clock clock(&mine, "the machine");
    std::unique_lock lock(mutex_);
    const auto free = [&] { return holder_ == nullptr; };
    while (!free() && !changed_.wait_for(lock, stop, clock.pace(), free)) {
      if (stop.stop_requested())
        throw cancelled_error("cancelled before it began: another run has the machine");
      if (const auto stuck = clock.look({&holder_, 1}); !stuck.empty())
        throw rank_error(stuck, -1, -1, true);
    }
    holder_ = &mine;
  }
  void give_back() {
    const std::lock_guard lock(mutex_);
    holder_ = nullptr;
    changed_.notify_all();
  }
  [[nodiscard]] bool taken() const noexcept { return holder_ != nullptr; }
  /// In a child made by fork(): whoever had it is gone.
  void forget() noexcept { ::new (this) run_lock; }

  /// Has the lock as long as it lives.
  class hold {
   public:
    hold(run_lock& lock, const run_signs& mine, const std::stop_token& stop) : lock_(lock) {
      lock_.take(mine, stop);
    }
    ~hold() { lock_.give_back(); }
    hold(const hold&) = delete;
    hold& operator=(const hold&) = delete;

   private:
    run_lock& lock_;
  };

 private:
  std::mutex mutex_;
  std::condition_variable_any changed_;
  const run_signs* holder_ = nullptr;
};

}  // namespace gossamer
