// The scheduler of one core: runs tasks round robin until all have ended.
//
//   gossamer::scheduler s;
//   const int sum = s.run(main_task(s));
//
// Cooperative: a task runs until it yields, waits or ends. What is spawned, or becomes ready, joins
// at the end of the round. With a `seed` the round is left in a pseudo-random order at every yield,
// the same one in every run. That is for tests of programs whose results must not depend on the
// order.
//
// A run in which tasks wait and nothing can make them ready ends with a deadlock_error that says
// who waits for what. Only a task that never yields can make it hang. A completion source with
// operations under way keeps run() going also when all tasks have ended.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "gossamer/base/error.hpp"
#include "gossamer/task/task.hpp"
#include "gossamer/task/waiter.hpp"

namespace gossamer {

/// Tasks wait, and nothing that could wake them is under way. `what()` counts them by what they
/// wait for.
class deadlock_error : public error {
 public:
  explicit deadlock_error(const std::string& what,
                          std::source_location where = std::source_location::current())
      : error(what, where) {}
};

/// Something outside of the tasks that makes them ready: replies that arrive, time that passes.
class completion_source {
 public:
  virtual ~completion_source() = default;
  /// Makes ready whatever has completed. Called once a round, and again and again when no task can
  /// run.
  virtual void poll() = 0;
  /// After a poll() of every source that has made no task ready. True when it has waited itself,
  /// or made something ready: the scheduler then looks again at once instead of resting.
  virtual bool idle() { return false; }
  /// Operations under way.
  [[nodiscard]] virtual std::size_t pending() const noexcept = 0;
};

struct scheduler_options {
  std::uint64_t seed = 0;  ///< 0: strictly round robin
  int rank = -1;           ///< what a deadlock's report says of where it is; -1: nothing
};

/// Tasks that were spawned together. Lives until its task_group and all of its tasks have ended.
struct group_state {
  static void* operator new(std::size_t bytes) { return frame_pool::mine().take(bytes); }
  static void operator delete(void* at, std::size_t bytes) noexcept {
    frame_pool::mine().give_back(at, bytes);
  }

  std::size_t live = 0;
  waiter* joiner = nullptr;
  std::exception_ptr error;  ///< of the first task that failed
  bool owned = true;         ///< by a task_group, or the scheduler
};

class scheduler {
 public:
  explicit scheduler(scheduler_options options = {});
  /// Destroys the frames of tasks that have not ended.
  ~scheduler();
  scheduler(const scheduler&) = delete;
  scheduler& operator=(const scheduler&) = delete;

  /// Begins a task that nobody joins; run() waits for it.
  void spawn(task<> t) { spawn_in(detached_, t.release().promise()); }

  /// Runs everything that was spawned until it has ended. Throws what the first failed task threw
  /// that nobody joined, else a deadlock_error where tasks were left waiting; usage_error when a
  /// task of this scheduler calls it.
  void run();
  /// The same with one more task, whose result it returns.
  template <class T>
  T run(task<T> main);

  /// Spawned tasks that have not ended.
  [[nodiscard]] std::size_t live() const noexcept { return live_; }
  /// Tasks that wait.
  [[nodiscard]] std::size_t waiting() const noexcept { return waiting_; }
  /// Operations under way at all completion sources but `one`.
  [[nodiscard]] std::size_t pending_beside(const completion_source& one) const noexcept {
    return pending() - one.pending();
  }

  // For what tasks wait for. `running` is always the task that calls.
  void spawn_in(group_state& group, task_promise& t) noexcept {
    ++group.live;
    ++live_;
    t.spawned_in(*this, group);
    ring_.insert(t);
  }
  std::coroutine_handle<> yield(task_promise& running) noexcept {
    ring_.turn(running);
    if (--switches_left_ == 0) [[unlikely]]
      return leave_yielding();
    return this->running();
  }
  /// Takes the running task out of the round until resume(w).
  std::coroutine_handle<> suspend(waiter& w, task_promise& running) noexcept;
  void resume(waiter& w) noexcept;
  /// The same without a record: for what completes by itself, which is counted as pending().
  std::coroutine_handle<> set_aside() noexcept {
    ring_.remove_running();
    return next();
  }
  void ready(task_promise& t) noexcept { ring_.insert(t); }
  /// Errors of tasks that nobody joins.
  [[nodiscard]] group_state& detached() noexcept { return detached_; }
  /// Until remove(), which must come before the source ends.
  void add(completion_source& source);
  void remove(completion_source& source) noexcept;

 private:
  friend std::coroutine_handle<> begin_call(task_promise& callee, task_caller& caller) noexcept;
  friend std::coroutine_handle<> end_task(task_promise& ended) noexcept;
  struct leave_to_run;

  /// Switches from task to task until run() has a turn. Compilers make a switch a jump, but GCC
  /// only from -O2 on and without sanitizers. Elsewhere each is a call, and the stack must end
  /// somewhere.
  static constexpr unsigned switches_in_a_row = 256;

  [[nodiscard]] std::coroutine_handle<> running() const noexcept {
    return static_cast<task_promise&>(ring_.running()).handle();
  }
  /// To the task that is the running one now.
  std::coroutine_handle<> go_on() noexcept {
    if (--switches_left_ == 0) [[unlikely]]
      return std::noop_coroutine();
    return running();
  }
  /// The same, or to run() when nobody can run.
  std::coroutine_handle<> next() noexcept {
    return ring_.empty() ? std::noop_coroutine() : go_on();
  }
  /// To run() from a yield: every one of them where the order is shuffled.
  std::coroutine_handle<> leave_yielding() noexcept;
  void ended(group_state& group) noexcept;
  static void destroy_outermost(task_promise& t) noexcept;
  [[nodiscard]] std::size_t pending() const noexcept;
  task<> poll_each_round();
  bool await_completions();
  [[nodiscard]] std::string report() const;

  ready_ring ring_;
  unsigned switches_left_ = switches_in_a_row;
  std::uint64_t shuffle_;
  int rank_;
  std::size_t live_ = 0, waiting_ = 0;
  waiter* waiters_ = nullptr;
  group_state detached_;
  std::vector<completion_source*> sources_;
  task<> poller_;
  bool polling_ = false;
  std::exception_ptr poll_error_;  ///< of a source, which ends run()
  bool runs_ = false;
};

/// `co_await yield_now()`: everybody else has a turn first.
struct yield_now {
  bool await_ready() const noexcept { return false; }
  template <class Promise>
  std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> h) const noexcept {
    return h.promise().home().yield(h.promise());
  }
  void await_resume() const noexcept {}
};

inline std::coroutine_handle<> begin_call(task_promise& callee, task_caller& caller) noexcept {
  callee.called_by(caller);
  callee.home().ring_.replace_running(callee);
  return callee.home().go_on();
}

inline std::coroutine_handle<> end_task(task_promise& done) noexcept {
  scheduler& s = done.home();
  if (const task_caller* c = done.caller()) {
    s.ring_.replace_running(*c->waiting);
    return s.go_on();
  }
  group_state& group = done.group();
  s.ring_.remove_running();
  done.handle().destroy();
  s.ended(group);
  return s.next();
}

inline void scheduler::ended(group_state& group) noexcept {
  --live_;
  if (--group.live != 0) return;
  if (group.joiner != nullptr)
    resume(*group.joiner);
  else if (!group.owned)
    delete &group;
}

inline std::coroutine_handle<> scheduler::suspend(waiter& w, task_promise& running) noexcept {
  w.task = &running;
  w.after = waiters_;
  if (waiters_ != nullptr) waiters_->before = &w;
  waiters_ = &w;
  ++waiting_;
  return set_aside();
}

inline void scheduler::resume(waiter& w) noexcept {
  (w.before != nullptr ? w.before->after : waiters_) = w.after;
  if (w.after != nullptr) w.after->before = w.before;
  --waiting_;
  ring_.insert(*w.task);
}

template <class T>
T scheduler::run(task<T> main) {
  if constexpr (std::is_void_v<T>) {
    spawn(std::move(main));
    run();
  } else {
    // Shared: after a deadlock the task is still there, and may go on in a later run().
    const auto result = std::make_shared<std::optional<T>>();
    constexpr auto keep = [](task<T> t, std::shared_ptr<std::optional<T>> to) -> task<> {
      to->emplace(co_await std::move(t));
    };
    spawn(keep(std::move(main), result));
    run();
    return std::move(**result);
  }
}

}  // namespace gossamer
