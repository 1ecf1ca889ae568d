// Operations that complete after a fixed time: a network's round trip, without a network.
//
// Paper D's Fig. 6 delays the completion of each reference by 3 us in this way, and asks how many
// tasks hide the delay.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "gossamer/base/wait.hpp"
#include "gossamer/task/scheduler.hpp"

namespace gossamer {

/// All delays are equal, so that what was issued first is due first: a ring of (time, task). Takes
/// no memory after construction.
class delay_line : public completion_source {
 public:
  /// `most`: operations under way at the same time, at least 1.
  delay_line(scheduler& s, std::chrono::nanoseconds delay, std::size_t most);
  ~delay_line() override { s_->remove(*this); }
  delay_line(const delay_line&) = delete;
  delay_line& operator=(const delay_line&) = delete;

  void poll() override;
  [[nodiscard]] std::size_t pending() const noexcept override { return issued_ - completed_; }

  struct passing {
    bool await_ready() const noexcept { return false; }
    template <class Promise>
    std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> h) {
      return line.issue(h.promise());
    }
    void await_resume() const noexcept {}
    delay_line& line;
  };
  /// `co_await line.pass()`: until the delay is over. usage_error when more than `most` are under
  /// way.
  [[nodiscard]] passing pass() noexcept { return {*this}; }

 private:
  struct operation {
    std::uint64_t due;  ///< ticks
    task_promise* task;
  };
  std::coroutine_handle<> issue(task_promise& running);
  operation& at(std::size_t number) noexcept {
    return under_way_[number & (under_way_.size() - 1)];
  }

  scheduler* s_;
  std::uint64_t delay_;  ///< ticks
  std::size_t most_;
  std::vector<operation> under_way_;  ///< a ring; a power of two: divisions cost most
  std::size_t issued_ = 0, completed_ = 0;
};

}  // namespace gossamer
