// driver_gate: one lock and a few counts. A turn costs some 50 ns beside a run's microseconds; an
// allocation, which costs the driver more than that, one uncontended lock.
#include "machine/driver_gate.hpp"

#include <condition_variable>
#include <mutex>
#include <utility>
#include <vector>

#include "gossamer/base/error.hpp"

namespace gossamer {

namespace {

struct returned {
  driver_return give_back;
  int ordinal;
  void* what;
};

struct gate {
  std::mutex lock;
  std::condition_variable_any changed;
  bool held = false;  ///< by a run whose kernels wait
  int waiting = 0;    ///< such runs whose turn has not come
  int ending = 0;     ///< runs whose kernels end by themselves
  int pauses = 0;
  std::vector<returned> left;  ///< what when_clear keeps for the end of the run that holds it
};

// Never destroyed: buffers of static machines are released after main.
gate& the_gate() {
  static auto* made = new gate;
  return *made;
}

/// Runs and pauses that the calling thread is in.
thread_local int depth = 0;

template <class Ready>
void wait_for_turn(gate& g, std::unique_lock<std::mutex>& lock, const std::stop_token& stop,
                   Ready ready) {
  if (!g.changed.wait(lock, stop, ready))
    throw cancelled_error("cancelled before the run began: another run has the GPUs");
}

}  // namespace

run_turn::run_turn(gpu_kernels kind, const std::stop_token& stop)
    : kind_(kind), nested_(depth > 0) {
  if (!nested_) {
    gate& g = the_gate();
    std::unique_lock lock(g.lock);
    if (kind == gpu_kernels::wait_for_each_other) {
      ++g.waiting;
      const auto leave = [&] {
        --g.waiting;
        g.changed.notify_all();
      };
      try {
        wait_for_turn(g, lock, stop, [&] { return !g.held && g.ending == 0 && g.pauses == 0; });
      } catch (...) {
        leave();
        throw;
      }
      g.held = true;
      leave();
    } else {
      wait_for_turn(g, lock, stop, [&] { return !g.held && g.waiting == 0; });
      ++g.ending;
    }
  }
  ++depth;
}

run_turn::~run_turn() {
  --depth;
  if (nested_) return;
  gate& g = the_gate();
  std::unique_lock lock(g.lock);
  if (kind_ == gpu_kernels::end_by_themselves) {
    --g.ending;
  } else {
    while (!g.left.empty()) {  // giving back may free objects that return more
      const auto now = std::exchange(g.left, {});
      lock.unlock();
      for (const returned& r : now) r.give_back(r.ordinal, r.what);
      lock.lock();
    }
    g.held = false;
  }
  g.changed.notify_all();
}

inside_run::inside_run() noexcept {
  ++depth;
}

inside_run::~inside_run() {
  --depth;
}

driver_pause::driver_pause() : nested_(depth > 0) {
  if (!nested_) {
    gate& g = the_gate();
    std::unique_lock lock(g.lock);
    g.changed.wait(lock, [&] { return !g.held && (g.waiting == 0 || g.ending > 0); });
    ++g.pauses;
  }
  ++depth;
}

driver_pause::~driver_pause() {
  --depth;
  if (nested_) return;
  gate& g = the_gate();
  const std::lock_guard lock(g.lock);
  --g.pauses;
  g.changed.notify_all();
}

void when_clear(driver_return give_back, int ordinal, void* what) noexcept {
  if (depth > 0) return give_back(ordinal, what);
  gate& g = the_gate();
  std::unique_lock lock(g.lock);
  if (g.held) {
    try {
      g.left.push_back({give_back, ordinal, what});
      return;
    } catch (...) {  // no memory for the list: given back beside the run
    }
  }
  ++g.pauses;
  lock.unlock();
  give_back(ordinal, what);
  lock.lock();
  --g.pauses;
  g.changed.notify_all();
}

}  // namespace gossamer
