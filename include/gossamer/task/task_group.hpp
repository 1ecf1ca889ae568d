// Spawn and join: tasks that begin together and whose end one task waits for.
#pragma once

#include "gossamer/task/scheduler.hpp"

namespace gossamer {

/// Tasks of one scheduler that can be joined. One task joins at a time.
///
/// A group that ends before its tasks lets them go: they run on, and the scheduler's run() waits
/// for them. What was thrown and not joined comes out of run() instead of being lost.
class task_group {
 public:
  explicit task_group(scheduler& s) : s_(&s), state_(new group_state) {}
  ~task_group() {
    auto& nobodys = s_->detached().error;
    if (state_->error != nullptr && nobodys == nullptr) nobodys = state_->error;
    if (state_->live == 0)
      delete state_;
    else
      state_->owned = false;
  }
  task_group(const task_group&) = delete;
  task_group& operator=(const task_group&) = delete;

  void spawn(task<> t) { s_->spawn_in(*state_, t.release().promise()); }
  /// Tasks that have not ended.
  [[nodiscard]] std::size_t live() const noexcept { return state_->live; }

  struct join_wait : waiter {
    static constexpr wait_kind joining{"join"};
    join_wait(scheduler& of, group_state& g) noexcept : waiter(joining), s(of), group(g) {}
    bool await_ready() const noexcept { return group.live == 0; }
    template <class Promise>
    std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> h) {
      require(group.joiner == nullptr, "task_group: two tasks join it at once");
      group.joiner = this;
      return s.suspend(*this, h.promise());
    }
    void await_resume() {
      group.joiner = nullptr;
      if (group.error) std::rethrow_exception(std::exchange(group.error, nullptr));
    }
    scheduler& s;
    group_state& group;
  };
  /// `co_await group.join()`: until all have ended; then throws what the first failed task threw.
  /// The group can be used again.
  join_wait join() noexcept { return join_wait(*s_, *state_); }

 private:
  scheduler* s_;
  group_state* state_;
};

}  // namespace gossamer
