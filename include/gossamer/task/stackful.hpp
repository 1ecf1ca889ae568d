// Stackful tasks: code with a stack of its own, in which any function that it calls may wait.
//
//   int depth(node* n) {                                 // a plain function, recursive
//     if (n == nullptr) return 0;
//     await_here(yield_now());                           // the core goes on with other tasks
//     return 1 + std::max(depth(n->left), depth(n->right));
//   }
//   s.run(...);   …   const int d = co_await on_own_stack([&] { return depth(root); });
//
// A task (task.hpp) can only wait in its own body, so that all functions between it and a wait are
// coroutines, too. Libraries that call back, and code that exists already, are not. Such a function
// runs on a stack by `on_own_stack`, and waits by `await_here` at any depth of calls: for whatever
// tasks await. As in paper D, whose coroutines all are of this kind. In return a waiting one takes
// its whole stack, and a wait some 80 ns more: a task is made for it, and stacks are switched twice
// (docs/design/tasks.md).
//
// Where a suspended one is destroyed, after a deadlock say, its stack is unwound: await_here throws
// what only on_own_stack catches.
#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include "gossamer/task/task.hpp"

namespace gossamer {

/// Of address space; memory is taken page by page. Beyond it the process ends (a page that faults).
inline constexpr std::size_t default_stack_bytes = std::size_t{256} << 10;

/// A function's run on a stack of its own.
class stack_run {
 public:
  /// Stacks of this thread that nobody uses are taken again, if of this size.
  explicit stack_run(std::size_t stack_bytes);
  stack_run(const stack_run&) = delete;
  stack_run& operator=(const stack_run&) = delete;
  ~stack_run();  ///< unwinds the stack, if the function has not ended

  void start(std::function<void()> body);
  /// Runs it until it waits, for the task that is returned, or has ended: null. Throws what it
  /// threw.
  task<>* resume();
  /// Inside of it: returns when resume() is called next.
  void wait_for(task<>& wanted);
  /// The innermost that runs on this thread; usage_error if there is none.
  static stack_run& current();

 private:
  struct stack;  ///< src/task/stackful.cpp
  std::unique_ptr<stack> stack_;
  stack_run* below_ = nullptr;  ///< who resumed this one, if on a stack itself
  task<>* wanted_ = nullptr;
  std::exception_ptr error_;
  bool unwinds_ = false;
};

namespace stackful_detail {

template <class T>
struct outcome {
  std::optional<T> value;
  template <class F>
  void take(F&& f) {
    value.emplace(std::forward<F>(f)());
  }
  T give() { return std::move(*value); }
};
template <>
struct outcome<void> {
  template <class F>
  void take(F&& f) {
    std::forward<F>(f)();
  }
  void give() {}
};

/// An awaiter that stays where it is: many cannot be moved, and GCC 12 copies what a function
/// refers to.
template <class Awaiter>
struct awaiter_there {
  Awaiter& it;
  bool await_ready() { return it.await_ready(); }
  template <class Promise>
  auto await_suspend(std::coroutine_handle<Promise> h) {
    return it.await_suspend(h);
  }
  decltype(auto) await_resume() { return it.await_resume(); }
};
/// What is awaited itself: a task's call, or the object.
template <class Awaitable>
auto awaiter_of(Awaitable& a) {
  if constexpr (requires { std::move(a).operator co_await(); })
    return std::move(a).operator co_await();
  else
    return awaiter_there<Awaitable>{a};
}
template <class Awaitable>
using awaited =
    std::remove_cvref_t<decltype(awaiter_of(std::declval<Awaitable&>()).await_resume())>;

template <class Awaitable>
task<> waits(Awaitable& wanted, outcome<awaited<Awaitable>>& into, std::exception_ptr& error) {
  try {
    if constexpr (std::is_void_v<awaited<Awaitable>>)
      co_await awaiter_of(wanted);
    else
      into.value.emplace(co_await awaiter_of(wanted));
  } catch (...) {
    error = std::current_exception();
  }
}

}  // namespace stackful_detail

/// In a function that on_own_stack runs, at any depth: what `co_await wanted` gives or throws.
/// usage_error elsewhere.
template <class Awaitable>
auto await_here(Awaitable wanted) {
  stack_run& here = stack_run::current();
  stackful_detail::outcome<stackful_detail::awaited<Awaitable>> result;
  std::exception_ptr error;
  task<> wait = stackful_detail::waits(wanted, result, error);
  here.wait_for(wait);
  if (error) std::rethrow_exception(error);
  return result.give();
}

/// A task that runs `body()` on a stack of `stack_bytes`; its result, or what it threw.
template <class F>
task<std::invoke_result_t<F&>> on_own_stack(F body, std::size_t stack_bytes = default_stack_bytes) {
  stackful_detail::outcome<std::invoke_result_t<F&>> result;
  stack_run run(stack_bytes);
  run.start([&] { result.take(body); });
  while (task<>* wanted = run.resume()) co_await std::move(*wanted);
  if constexpr (!std::is_void_v<std::invoke_result_t<F&>>) co_return result.give();
}

}  // namespace gossamer
