// A task: a C++20 coroutine that a scheduler runs beside others on one core.
//
//   gossamer::task<int> depth(scheduler& s, node* n) {
//     if (n == nullptr) co_return 0;
//     auto left = co_await depth(s, n->left);        // a call: runs at once, in this task's turn
//     ...
//   }
//   s.run(main_task(s));
//
// Nothing runs before a task is awaited or spawned. An awaited task takes its caller's place in the
// round and gives it back with its result or its exception; the caller owns its frame. A spawned
// task is owned by the scheduler (scheduler.hpp, task_group.hpp). A task is resumed on the thread
// it began on.
//
// What suspends is a coroutine, not a stack: a task can only wait in its own body, and each call
// that may wait is a `co_await`. In return a waiting task takes no more than its live variables.
// Functions that are no coroutines can wait on stacks of their own (stackful.hpp).
#pragma once

#include <coroutine>
#include <cstdint>
#include <exception>
#include <optional>
#include <type_traits>
#include <utility>

#include "gossamer/task/frame_pool.hpp"
#include "gossamer/task/ready_ring.hpp"

namespace gossamer {

class scheduler;
class task_promise;
struct group_state;

/// Where an awaited task leaves its result; lies in its caller's frame.
struct task_caller {
  task_promise* waiting = nullptr;
  std::exception_ptr error;
};

/// What every task's frame begins with: 24 bytes.
class task_promise : public ready_link {
 public:
  static void* operator new(std::size_t bytes) { return frame_pool::mine().take(bytes); }
  static void operator delete(void* at, std::size_t bytes) noexcept {
    frame_pool::mine().give_back(at, bytes);
  }

  [[nodiscard]] scheduler& home() const noexcept { return *home_; }
  [[nodiscard]] std::coroutine_handle<> handle() noexcept {
    return std::coroutine_handle<task_promise>::from_promise(*this);
  }

  std::suspend_always initial_suspend() noexcept { return {}; }
  void unhandled_exception() noexcept;

  /// The task's caller, null for a spawned one.
  [[nodiscard]] task_caller* caller() const noexcept {
    return (owner_ & 1) != 0 ? nullptr : reinterpret_cast<task_caller*>(owner_);
  }
  /// The spawned task that this one was called from, at any depth.
  [[nodiscard]] task_promise& outermost() noexcept;

  void called_by(task_caller& c) noexcept {
    home_ = c.waiting->home_;
    owner_ = reinterpret_cast<std::uintptr_t>(&c);
  }
  void spawned_in(scheduler& s, group_state& group) noexcept {
    home_ = &s;
    owner_ = reinterpret_cast<std::uintptr_t>(&group) | 1;
  }
  [[nodiscard]] group_state& group() const noexcept {
    return *reinterpret_cast<group_state*>(owner_ & ~std::uintptr_t{1});
  }

 private:
  scheduler* home_ = nullptr;
  std::uintptr_t owner_ = 0;  ///< task_caller*, or group_state* with the lowest bit set
};

/// `callee` takes the place of `caller.waiting`, which is running. These two are defined in
/// scheduler.hpp.
std::coroutine_handle<> begin_call(task_promise& callee, task_caller& caller) noexcept;
/// The task has ended: whoever goes on.
std::coroutine_handle<> end_task(task_promise& ended) noexcept;

/// What a finished task does: its caller goes on in its place, or its group hears of it.
struct task_end {
  bool await_ready() const noexcept { return false; }
  template <class Promise>
  std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> h) const noexcept {
    return end_task(h.promise());
  }
  void await_resume() const noexcept {}
};

template <class T>
struct task_result : task_caller {
  std::optional<T> value;
};
template <>
struct task_result<void> : task_caller {};

template <class T>
class typed_promise : public task_promise {
 public:
  std::coroutine_handle<typed_promise> get_return_object() noexcept {
    return std::coroutine_handle<typed_promise>::from_promise(*this);
  }
  template <class U>
  void return_value(U&& value) {
    static_cast<task_result<T>*>(caller())->value.emplace(std::forward<U>(value));
  }
  task_end final_suspend() noexcept { return {}; }
};
template <>
class typed_promise<void> : public task_promise {
 public:
  std::coroutine_handle<typed_promise> get_return_object() noexcept {
    return std::coroutine_handle<typed_promise>::from_promise(*this);
  }
  void return_void() noexcept {}
  task_end final_suspend() noexcept { return {}; }
};

/// Owns a coroutine that has not been spawned. Movable; destroying it destroys the frame.
template <class T = void>
class [[nodiscard]] task {
 public:
  using promise_type = typed_promise<T>;
  // The handle of any task can be made from its task_promise, which lies where the promise does.
  static_assert(alignof(promise_type) <= 2 * sizeof(void*), "a result aligned to a cache line");

  task(std::coroutine_handle<promise_type> h) noexcept : handle_(h) {}
  task(task&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  task& operator=(task&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~task() {
    if (handle_) handle_.destroy();
  }

  [[nodiscard]] promise_type& promise() const noexcept { return handle_.promise(); }
  /// Gives the frame away.
  [[nodiscard]] std::coroutine_handle<promise_type> release() noexcept {
    return std::exchange(handle_, nullptr);
  }

  struct call : task_result<T> {
    explicit call(std::coroutine_handle<promise_type> h) noexcept : callee(h) {}
    bool await_ready() const noexcept { return false; }
    template <class Promise>
    std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> h) noexcept {
      this->waiting = &h.promise();
      return begin_call(callee.promise(), *this);
    }
    T await_resume() {
      if (this->error) std::rethrow_exception(this->error);
      if constexpr (!std::is_void_v<T>) return std::move(*this->value);
    }
    std::coroutine_handle<promise_type> callee;
  };
  /// Runs it in the caller's turn; its result, or what it threw.
  call operator co_await() && noexcept { return call(handle_); }

 private:
  std::coroutine_handle<promise_type> handle_;
};

}  // namespace gossamer
