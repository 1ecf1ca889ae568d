// run_lock: one run of a machine at a time, in the order in which they come: who gives it back and
// takes it again goes behind those who wait. Who waits can be stopped, and gives up on a run that
// makes no progress. Private to the library.
#pragma once

#include <condition_variable>
#include <list>
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
    const place here(*this);
    const auto free = [&] { return holder_ == nullptr && waiting_.begin() == here.at; };
    while (!free() && !changed_.wait_for(lock, stop, clock.pace(), free)) {
      if (stop.stop_requested())
        throw cancelled_error("cancelled before it began: another run has the machine");
      if (holder_ == nullptr) continue;  // whoever is first has not woken up yet
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
  /// Among those who wait, under the mutex; who leaves lets the next one look.
  struct place {
    explicit place(run_lock& of) : lock(of), at(of.waiting_.insert(of.waiting_.end(), 0)) {}
    ~place() {
      lock.waiting_.erase(at);
      lock.changed_.notify_all();
    }
    place(const place&) = delete;
    place& operator=(const place&) = delete;
    run_lock& lock;
    const std::list<char>::iterator at;
  };

  std::mutex mutex_;
  std::condition_variable_any changed_;
  const run_signs* holder_ = nullptr;
  std::list<char> waiting_;
};

}  // namespace gossamer
