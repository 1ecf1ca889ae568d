// An operation on another rank's memory that is under way. These are the phases of a split-phase
// reference by hand, as local_reference has them for memory of this machine.
//
//   const global_reference r(g, words[i]), q(g, words[j]);
//   auto first = r.issue_read(), second = q.issue_read();   // both leave at this task's next turn
//   co_await yield_now();                                   // or whatever else there is to do
//   const auto sum = co_await first.complete() + co_await second.complete();
//
// One that is dropped before it is complete is performed nevertheless, and what it throws comes out
// of the run. Memory comes from the pool of frames.
#pragma once

#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include "gossamer/task/frame_pool.hpp"
#include "gossamer/task/task_group.hpp"

namespace gossamer {

namespace detail {

/// The calling thread's pool of frames, for standard containers.
template <class T>
struct frame_allocator {
  using value_type = T;
  frame_allocator() = default;
  template <class Other>
  explicit(false) frame_allocator(const frame_allocator<Other>&) noexcept {}
  T* allocate(std::size_t n) { return static_cast<T*>(frame_pool::mine().take(n * sizeof(T))); }
  void deallocate(T* at, std::size_t n) noexcept {
    frame_pool::mine().give_back(at, n * sizeof(T));
  }
  bool operator==(const frame_allocator&) const = default;
};

}  // namespace detail

template <class Result>
class issued {
 public:
  /// Begins a task that awaits start().
  template <class Start>
  issued(scheduler& s, Start start)
      : state_(std::allocate_shared<state>(detail::frame_allocator<state>(), s)) {
    state_->group.spawn(run(state_, std::move(start)));
  }

  /// Once: what the operation returned or threw. Gives the others turns until it is there.
  [[nodiscard]] task<Result> complete() const {
    co_await state_->group.join();
    if constexpr (!std::is_void_v<Result>) co_return *state_->value;
  }
  /// Whether complete() would not have to wait.
  [[nodiscard]] bool ready() const noexcept { return state_->group.live() == 0; }

 private:
  struct nothing {};
  struct state {
    explicit state(scheduler& s) : group(s) {}
    std::optional<std::conditional_t<std::is_void_v<Result>, nothing, Result>> value;
    task_group group;
  };
  template <class Start>
  static task<> run(std::shared_ptr<state> s, Start start) {
    if constexpr (std::is_void_v<Result>)
      co_await start();
    else
      s->value.emplace(co_await start());
  }

  std::shared_ptr<state> state_;
};

}  // namespace gossamer
