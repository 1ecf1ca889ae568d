// A task that cannot run: what it waits for, in words that a report can print.
#pragma once

#include <coroutine>

#include "gossamer/task/task.hpp"

namespace gossamer {

/// A kind of waiting; one constant of each.
struct wait_kind {
  const char* name;  ///< "readFE"
};

/// Base of awaiters that take their task out of the round until somebody makes it ready. Lies in
/// the waiting task's frame; the scheduler keeps all of them in one list, from which a deadlock is
/// reported and by which frames of tasks that never end are found.
struct waiter {
  /// `address`: of what is waited for, or null.
  explicit waiter(const wait_kind& what, const void* address = nullptr) noexcept
      : kind(&what), on(address) {}
  waiter(const waiter&) = delete;
  waiter& operator=(const waiter&) = delete;

  task_promise* task = nullptr;
  waiter *before = nullptr, *after = nullptr;  ///< in the scheduler's list
  waiter* behind = nullptr;                    ///< in the queue of what it waits for
  const wait_kind* kind;
  const void* on;
};

/// Waiters in the order in which they came; takes no memory of its own but one pointer.
class waiter_queue {
 public:
  explicit waiter_queue(waiter* last = nullptr) noexcept : last_(last) {}
  [[nodiscard]] bool empty() const noexcept { return last_ == nullptr; }
  [[nodiscard]] waiter& first() const noexcept { return *last_->behind; }
  void push(waiter& w) noexcept {
    if (last_ == nullptr) {
      w.behind = &w;
    } else {
      w.behind = last_->behind;
      last_->behind = &w;
    }
    last_ = &w;
  }
  waiter& pop() noexcept {
    waiter& w = first();
    if (&w == last_)
      last_ = nullptr;
    else
      last_->behind = w.behind;
    return w;
  }

 private:
  waiter* last_ = nullptr;
};

}  // namespace gossamer
