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
  int across = 0;     ///< runs across processes
  int waiting = 0;    ///< runs of these two kinds whose turn has not come
  int ending = 0;     ///< runs whose kernels end by themselves
  int pauses = 0;
  std::vector<returned> left;  ///< by when_clear

  /// Whether a pause may begin, or a return be done.
  [[nodiscard]] bool open() const { return !held && across == 0 && (waiting == 0 || ending > 0); }
  /// Whether a run of the first two kinds may.
  [[nodiscard]] bool has_turn(gpu_use use) const {
    const bool beside = use == gpu_use::kernels_across_processes || across == 0;
    return !held && beside && ending == 0 && pauses == 0;
  }
  /// Does what was left when called; unlocked meanwhile, so that the caller must keep such runs
  /// out. What is left meanwhile is for the next call, so that threads that return faster than this
  /// gives back do not keep it.
  void give_back_left(std::unique_lock<std::mutex>& mine) {
    const auto now = std::exchange(left, {});
    if (now.empty()) return;
    mine.unlock();
    {
      // What these return in their turn is done at once, as in a pause.
      const run_in_progress mark{nullptr, gpu_use::driver_calls, thread_runs()};
      const belongs_to inside(mark);
      for (const returned& r : now) r.give_back(r.ordinal, r.what);
    }
    mine.lock();
  }
};

// Never destroyed: buffers of static machines are released after main.
gate& the_gate() {
  static auto* made = new gate;
  return *made;
}

[[noreturn]] void cancelled() {
  throw cancelled_error("cancelled before it began: another run has the GPUs");
}

/// Does what was left to a run that does not have the GPUs, any more or after all.
void give_back_as_pause(gate& g, std::unique_lock<std::mutex>& lock) {
  ++g.pauses;
  g.give_back_left(lock);
  --g.pauses;
}

void begin_kernels_that_wait(gate& g, gpu_use use, const std::stop_token& stop) {
  std::unique_lock lock(g.lock);
  ++g.waiting;
  const bool turn = g.changed.wait(lock, stop, [&] { return g.has_turn(use); });
  // The run's own memory may have to come from what was left. Nothing begins meanwhile: the pause
  // keeps out such runs, the run that waits all else.
  if (turn && g.across == 0) give_back_as_pause(g, lock);
  --g.waiting;
  if (turn) {
    if (use == gpu_use::kernels_that_wait)
      g.held = true;
    else
      ++g.across;
  } else if (g.open()) {
    give_back_as_pause(g, lock);  // otherwise there is another run to do it
  }
  g.changed.notify_all();
  if (!turn) cancelled();
}

void end_kernels_that_wait(gate& g, gpu_use use) {
  std::unique_lock lock(g.lock);
  if (use == gpu_use::kernels_that_wait)
    g.held = false;
  else
    --g.across;
  if (g.across == 0) give_back_as_pause(g, lock);
  g.changed.notify_all();
}

void begin_kernels_that_end(gate& g, const std::stop_token& stop) {
  std::unique_lock lock(g.lock);
  const auto turn = [&] { return !g.held && g.across == 0 && g.waiting == 0; };
  if (!g.changed.wait(lock, stop, turn)) cancelled();
  ++g.ending;
}

void leave(gate& g, int& count) {
  const std::lock_guard lock(g.lock);
  --count;
  g.changed.notify_all();
}

}  // namespace

run_turn::run_turn(gpu_use use, const std::stop_token& stop) {
  const gpu_use has = thread_use();
  if (use == gpu_use::none || has >= gpu_use::kernels_across_processes) return;
  if (use >= gpu_use::kernels_across_processes) {
    require(has == gpu_use::none,
            "a run of several ranks with a GPU cannot begin inside a run of one GPU, nor inside "
            "other work on one: its kernels wait for each other and need the GPUs for themselves");
    begin_kernels_that_wait(the_gate(), use, stop);
  } else {
    if (has != gpu_use::none) return;
    begin_kernels_that_end(the_gate(), stop);
  }
  taken_ = use;
}

run_turn::~run_turn() {
  if (taken_ >= gpu_use::kernels_across_processes) end_kernels_that_wait(the_gate(), taken_);
  if (taken_ == gpu_use::kernels_that_end) leave(the_gate(), the_gate().ending);
}

namespace {

/// True when the pause is the thread's first, and counted.
bool begin_pause(const std::stop_token& stop) {
  if (thread_use() != gpu_use::none) return false;
  gate& g = the_gate();
  std::unique_lock lock(g.lock);
  if (!g.changed.wait(lock, stop, [&] { return g.open(); })) cancelled();
  ++g.pauses;
  return true;
}

}  // namespace

driver_pause::driver_pause(const std::stop_token& stop)
    : first_(begin_pause(stop)),
      mark_{nullptr, gpu_use::driver_calls, thread_runs()},
      inside_(mark_) {}

driver_pause::~driver_pause() {
  if (first_) leave(the_gate(), the_gate().pauses);
}

void when_clear(driver_return give_back, int ordinal, void* what) noexcept {
  if (thread_use() != gpu_use::none) return give_back(ordinal, what);
  gate& g = the_gate();
  std::unique_lock lock(g.lock);
  if (!g.open()) {
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
