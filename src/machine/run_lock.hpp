// run_lock: one run of a machine at a time; who waits can be stopped. Private to the library.
#pragma once

#include <condition_variable>
#include <mutex>
#include <new>
#include <stop_token>

#include "gossamer/base/error.hpp"

namespace gossamer {

class run_lock {
 public:
  /// Throws cancelled_error when a stop is requested while another run has it.
  void take(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    if (!changed_.wait(lock, stop, [&] { return !taken_; }))
      throw cancelled_error("cancelled before it began: another run has the machine");
    taken_ = true;
  }
  void give_back() {
    const std::lock_guard lock(mutex_);
    taken_ = false;
    changed_.notify_all();
  }
  [[nodiscard]] bool taken() const noexcept { return taken_; }
  /// In a child made by fork(): whoever had it is gone.
  void forget() noexcept { ::new (this) run_lock; }

  /// Has the lock as long as it lives.
  class hold {
   public:
    hold(run_lock& lock, const std::stop_token& stop) : lock_(lock) { lock_.take(stop); }
    ~hold() { lock_.give_back(); }
    hold(const hold&) = delete;
    hold& operator=(const hold&) = delete;

   private:
    run_lock& lock_;
  };

 private:
  std::mutex mutex_;
  std::condition_variable_any changed_;
  bool taken_ = false;
};

}  // namespace gossamer
