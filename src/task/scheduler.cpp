// What a scheduler does when its round is empty: completions, errors, deadlocks; and its end.
#include "gossamer/task/scheduler.hpp"

#include <algorithm>
#include <map>
#include <sstream>
#include <utility>

#include "gossamer/base/error.hpp"
#include "gossamer/base/wait.hpp"

namespace gossamer {

void task_promise::unhandled_exception() noexcept {
  if (task_caller* c = caller()) {
    c->error = std::current_exception();
    return;
  }
  // Nobody can join the group of a task_group that is gone: what its tasks throw reaches run().
  group_state& g = group().owned ? group() : home().detached();
  if (g.error == nullptr) g.error = std::current_exception();
}

task_promise& task_promise::outermost() noexcept {
  task_promise* t = this;
  while (const task_caller* c = t->caller()) t = c->waiting;
  return *t;
}

scheduler::scheduler(scheduler_options options)
    : shuffle_(options.seed), rank_(options.rank), poller_(poll_each_round()) {
  poller_.promise().spawned_in(*this, detached_);  // of no group's tasks: live counts are untouched
}

scheduler::~scheduler() {
  // A frame owns those of its calls, not of what it spawned: each spawned task goes by itself,
  // found by what it waits for or by its place in the round.
  while (waiters_ != nullptr) {
    waiter& w = *waiters_;
    waiters_ = w.after;
    if (waiters_ != nullptr) waiters_->before = nullptr;
    destroy_outermost(*w.task);
  }
  while (!ring_.empty()) {
    auto& t = static_cast<task_promise&>(ring_.running());
    ring_.remove_running();
    if (&t != &poller_.promise()) destroy_outermost(t);
  }
}

void scheduler::destroy_outermost(task_promise& t) noexcept {
  task_promise& outermost = t.outermost();
  group_state& group = outermost.group();
  outermost.handle().destroy();
  if (--group.live == 0 && !group.owned) delete &group;
}

void scheduler::add(completion_source& source) {
  sources_.push_back(&source);
}

void scheduler::remove(completion_source& source) noexcept {
  std::erase(sources_, &source);
}

std::size_t scheduler::pending() const noexcept {
  std::size_t sum = 0;
  for (const completion_source* s : sources_) sum += s->pending();
  return sum;
}

/// Ends the poller's place in the round: back to run(), when nobody else is there or it has failed.
struct scheduler::leave_to_run {
  scheduler& s;
  bool await_ready() const noexcept { return false; }
  std::coroutine_handle<> await_suspend(std::coroutine_handle<>) const noexcept {
    s.polling_ = false;
    const auto next = s.set_aside();
    return s.poll_error_ == nullptr ? next : std::noop_coroutine();
  }
  void await_resume() const noexcept {}
};

// It never ends: nobody would know that its frame is gone.
task<> scheduler::poll_each_round() {
  for (;;) {
    try {
      for (completion_source* s : sources_) s->poll();
    } catch (...) {
      poll_error_ = std::current_exception();
    }
    if (poll_error_ != nullptr || ring_.alone())
      co_await leave_to_run{*this};
    else
      co_await yield_now();
  }
}

// True when a task can run again.
bool scheduler::await_completions() {
  backoff wait;
  while (ring_.empty() && pending() > 0) {
    for (completion_source* s : sources_) s->poll();
    bool waited = !ring_.empty();
    for (completion_source* s : sources_)
      if (!waited) waited = s->idle();
    if (!waited) wait.pause();
  }
  return !ring_.empty();
}

void scheduler::run() {
  require(!runs_, "scheduler: run() from inside one of its own tasks; co_await what it begins");
  runs_ = true;
  struct ending {
    bool& flag;
    ~ending() { flag = false; }
  } const at_the_end{runs_};
  for (;;) {
    if (!ring_.empty()) {
      if (!sources_.empty() && !polling_) {
        polling_ = true;
        ring_.insert(poller_.promise());
      }
      switches_left_ = shuffle_ != 0 ? 1 : switches_in_a_row;
      running().resume();
      if (poll_error_ != nullptr) std::rethrow_exception(std::exchange(poll_error_, nullptr));
    } else if (!await_completions()) {
      break;
    }
  }
  if (detached_.error != nullptr) std::rethrow_exception(std::exchange(detached_.error, nullptr));
  if (live_ > 0) throw deadlock_error(report());
}

std::coroutine_handle<> scheduler::leave_yielding() noexcept {
  if (shuffle_ != 0) {
    // Marsaglia's xorshift64 (2003). A few steps around the ring leave no order certain. Not at
    // calls: what does not yield is not interrupted.
    shuffle_ ^= shuffle_ << 13;
    shuffle_ ^= shuffle_ >> 7;
    shuffle_ ^= shuffle_ << 17;
    for (std::uint64_t steps = shuffle_ % 8; steps > 0; --steps) ring_.turn(ring_.running());
  }
  return std::noop_coroutine();
}

std::string scheduler::report() const {
  std::map<std::pair<std::string, const void*>, std::size_t> found;
  for (const waiter* w = waiters_; w != nullptr; w = w->after) ++found[{w->kind->name, w->on}];
  std::ostringstream text;
  text << "deadlock";
  if (rank_ >= 0) text << " on rank " << rank_;
  text << ": " << live_ << " tasks have not ended and nothing can wake them:";
  std::size_t shown = 0;
  for (const auto& [what, tasks] : found) {
    if (++shown > 8) {
      text << " and " << found.size() - 8 << " more";
      break;
    }
    text << (shown > 1 ? ", " : " ") << tasks << " in " << what.first;
    if (what.second != nullptr) text << " of " << what.second;
  }
  return text.str();
}

}  // namespace gossamer
