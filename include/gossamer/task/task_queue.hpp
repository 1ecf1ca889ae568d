// Tasks that have not begun, in 32 bytes each: a function and three words.
//
// A million coroutine frames take 100 MB and more; a million tasks in this queue 32 MB, and frames
// exist for those alone that are under way. Paper D's runtime binds a task to a stack when it
// begins in the same way.
//
//   task<> visit(scheduler& s, std::uint64_t vertex, std::uint64_t depth, std::uint64_t);
//   task_queue queue(s);
//   queue.push<visit>(root, 0);
//   co_await queue.drain(256);          // visit() may push more
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "gossamer/task/task_group.hpp"

namespace gossamer {

/// First in, first out; grows by doubling, and never shrinks. Of one scheduler.
class task_queue {
 public:
  using function = task<> (*)(scheduler&, std::uint64_t, std::uint64_t, std::uint64_t);
  /// `room`: tasks for which memory is taken at once.
  explicit task_queue(scheduler& s, std::size_t room = 1024);
  task_queue(const task_queue&) = delete;
  task_queue& operator=(const task_queue&) = delete;

  template <function Begin>
  void push(std::uint64_t a, std::uint64_t b = 0, std::uint64_t c = 0) {
    if (size_ == capacity_) grow();
    entries_[(first_ + size_++) & (capacity_ - 1)] = {Begin, a, b, c};
    if (!idle_.empty()) s_->resume(idle_.pop());
  }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  /// Bytes of the queue itself.
  [[nodiscard]] std::size_t bytes() const noexcept { return capacity_ * sizeof(entry); }

  /// Runs what is in the queue and what that pushes, `in_flight` tasks at a time, until the queue
  /// is empty and nothing of it is under way. Throws what the first failed task threw; what is in
  /// the queue then stays there. usage_error when `in_flight` is 0 or it is being drained already.
  task<> drain(std::size_t in_flight);

 private:
  struct entry {
    function begin;
    std::uint64_t a, b, c;
  };
  struct idle_wait;
  void grow();
  void stop() noexcept;
  task<> work();

  scheduler* s_;
  std::unique_ptr<entry[]> entries_;
  std::size_t capacity_, first_ = 0, size_ = 0;
  waiter_queue idle_;
  std::size_t busy_ = 0;  ///< workers that are not idle
  bool stopped_ = false;
};

}  // namespace gossamer
