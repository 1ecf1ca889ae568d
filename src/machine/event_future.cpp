// event_future: a moment that somebody will record later (Ben-Nun et al., "Groute", PPoPP 2017).
//
// Ordering: whoever fulfils the future writes the event (or the exception) and then the phase with
// release; readers load the phase with acquire before they touch either. The first fulfiller claims
// the future by compare-exchange, so that a second one is an error and never a race.
#include <atomic>
#include <optional>
#include <string>
#include <utility>

#include "gossamer/base/error.hpp"
#include "gossamer/base/wait.hpp"
#include "gossamer/machine/stream.hpp"

namespace gossamer {

namespace {
enum phase : int { open, claimed, recorded_phase, failed };
}  // namespace

struct event_future::state {
  std::atomic<int> now{open};
  std::optional<event_pool> home;  // keeps the pool's events alive until ours is back
  event moment;
  std::exception_ptr why;

  state() = default;
  state(const state&) = delete;
  state& operator=(const state&) = delete;
  ~state() {
    if (!home) return;
    try {
      home->give(std::move(moment));
    } catch (...) {  // no memory for the list of free events: this one is destroyed instead
    }
  }

  void claim() {
    int expected = open;
    if (!now.compare_exchange_strong(expected, claimed))
      throw usage_error("event_future: recorded or failed before");
  }
  bool recorded() const {
    const int current = now.load(std::memory_order_acquire);
    if (current == failed) std::rethrow_exception(why);
    return current == recorded_phase;
  }
  template <class Condition>
  static void wait_until(Condition reached, std::chrono::nanoseconds deadline, const char* what) {
    const auto start = steady::now();
    for (backoff pause; !reached();)
      if (pause.pause() && steady::now() - start > deadline)
        throw rank_error(std::string("event_future: ") + what + " within " +
                             std::to_string(deadline.count() / 1'000'000) + " ms",
                         -1, -1, true);
  }
};

event_future::event_future() : state_(std::make_shared<state>()) {}

void event_future::record(event_pool& pool, const stream& s) {
  state_->claim();
  try {
    state_->moment = pool.take();
    state_->home = pool;
    state_->moment.record(s);
  } catch (...) {
    // Waiters learn of it too, instead of waiting for a moment that never comes.
    state_->why = std::current_exception();
    state_->now.store(failed, std::memory_order_release);
    throw;
  }
  state_->now.store(recorded_phase, std::memory_order_release);
}

void event_future::fail(std::exception_ptr why) {
  state_->claim();
  state_->why = std::move(why);
  state_->now.store(failed, std::memory_order_release);
}

void event_future::wait(std::chrono::nanoseconds deadline) const {
  const auto start = steady::now();
  state_->wait_until([&] { return recorded(); }, deadline, "not recorded");
  const auto left = deadline - (steady::now() - start);
  state_->wait_until([&] { return state_->moment.done(); }, left, "recorded, but not reached");
}

void event_future::block(const stream& s, std::chrono::nanoseconds deadline) const {
  state_->wait_until([&] { return recorded(); }, deadline, "not recorded");
  state_->moment.block(s);
}

bool event_future::recorded() const {
  return state_->recorded();
}

bool event_future::done() const {
  return recorded() && state_->moment.done();
}

}  // namespace gossamer
