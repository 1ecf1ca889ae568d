// Workers of a task queue: each takes a task, awaits it, and sleeps when there is none.
#include "gossamer/task/task_queue.hpp"

#include <algorithm>
#include <bit>

namespace gossamer {

task_queue::task_queue(scheduler& s, std::size_t room)
    : s_(&s),
      entries_(
          std::make_unique_for_overwrite<entry[]>(std::bit_ceil(std::max<std::size_t>(room, 1)))),
      capacity_(std::bit_ceil(std::max<std::size_t>(room, 1))) {}

void task_queue::grow() {
  auto larger = std::make_unique_for_overwrite<entry[]>(2 * capacity_);
  for (std::size_t i = 0; i < size_; ++i) larger[i] = entries_[(first_ + i) & (capacity_ - 1)];
  entries_ = std::move(larger);
  capacity_ *= 2;
  first_ = 0;
}

/// Until somebody pushes, or all workers are idle and so nobody can.
struct task_queue::idle_wait : waiter {
  static constexpr wait_kind idling{"task_queue"};
  explicit idle_wait(task_queue& q) noexcept : waiter(idling, &q), queue(q) {}
  bool await_ready() const noexcept { return false; }
  template <class Promise>
  std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> h) noexcept {
    queue.idle_.push(*this);
    return queue.s_->suspend(*this, h.promise());
  }
  void await_resume() const noexcept {}
  task_queue& queue;
};

void task_queue::stop() noexcept {
  stopped_ = true;
  while (!idle_.empty()) s_->resume(idle_.pop());
}

task<> task_queue::work() {
  while (!stopped_) {
    if (size_ > 0) {
      const entry e = entries_[first_];
      first_ = (first_ + 1) & (capacity_ - 1);
      --size_;
      try {
        co_await e.begin(*s_, e.a, e.b, e.c);
      } catch (...) {
        stop();
        throw;
      }
    } else if (--busy_ == 0) {
      stop();  // nobody is left who could push
    } else {
      co_await idle_wait(*this);
      ++busy_;
    }
  }
}

task<> task_queue::drain(std::size_t in_flight) {
  require(in_flight > 0, "task_queue: in_flight must be positive");
  require(busy_ == 0, "task_queue: it is being drained already");
  stopped_ = false;
  busy_ = in_flight;
  task_group workers(*s_);
  for (std::size_t i = 0; i < in_flight; ++i) workers.spawn(work());
  try {
    co_await workers.join();
  } catch (...) {
    busy_ = 0;
    throw;
  }
  busy_ = 0;
}

}  // namespace gossamer
