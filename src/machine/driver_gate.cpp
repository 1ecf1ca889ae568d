// driver_gate: one lock and a few counts. A turn costs some 50 ns beside a run's microseconds; an
// allocation, which costs the driver more than that, one uncontended lock.
#include "machine/driver_gate.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

#include "gossamer/base/error.hpp"
#include "machine/forks.hpp"

namespace gossamer {

namespace {

struct returned {
  driver_return give_back;
  int ordinal;
  void* what;
};

/// For how long runs whose kernels end let those whose kernels wait go first: twice as long each
/// time that one did not, so that long runs, beginning beside each other, end some time.
constexpr auto patience = std::chrono::seconds(1);
constexpr int most_doublings = 6;

struct gate {
  std::mutex lock;
  std::condition_variable_any changed;
  bool held = false;        ///< by a run whose kernels wait
  int waiting = 0;          ///< such runs whose turn has not come
  std::uint64_t ended = 0;  ///< such runs, ever
  int ending = 0;           ///< runs whose kernels end by themselves
  int pauses = 0;
  int passed =
      0;  ///< runs that did not wait longer since the last turn of those whose kernels wait
  int queued = 0, late = 0;  ///< runs and pauses that wait; of these, since before the last `ended`
  std::vector<returned> left;  ///< by when_clear

  /// Whether a pause may begin, or a return be done.
  [[nodiscard]] bool open() const { return !held && (waiting == 0 || ending > 0); }
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

/// The gate of this process: in a child made by fork(), whose threads have no turns, a new one.
struct process_gate final : fork_listener {
  gate now;
  void in_child() noexcept override { ::new (&now) gate; }
};

// Never destroyed: buffers of static machines are released after main.
gate& the_gate() {
  static auto* made = new process_gate;
  return made->now;
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

void begin_kernels_that_wait(gate& g, const std::stop_token& stop) {
  std::unique_lock lock(g.lock);
  ++g.waiting;
  const bool turn = g.changed.wait(
      lock, stop, [&] { return !g.held && g.ending == 0 && g.pauses == 0 && g.late == 0; });
  --g.waiting;
  if (turn) {
    g.held = true;
    g.passed = 0;
    g.give_back_left(lock);  // its own memory may have to come from there
    return;
  }
  if (g.open()) give_back_as_pause(g, lock);  // otherwise there is another run to do it
  g.changed.notify_all();
  cancelled();
}

void end_kernels_that_wait(gate& g) {
  std::unique_lock lock(g.lock);
  g.give_back_left(lock);  // before those that waited take more
  g.held = false;
  ++g.ended;
  g.late = g.queued;
  give_back_as_pause(g, lock);
  g.changed.notify_all();
}

/// Counts one more in `count` when it may begin: when no run whose kernels wait holds the GPUs or
/// comes first, and, after `patient`, while any run goes on.
void begin_beside(gate& g, int& count, std::chrono::seconds patient, const std::stop_token& stop) {
  std::unique_lock lock(g.lock);
  const auto since = g.ended;
  const auto first = [&] { return !g.held && (g.waiting == 0 || g.ended != since); };
  ++g.queued;
  bool turn = g.changed.wait_for(lock, stop, patient * (1 << g.passed), first);
  if (!turn) turn = g.changed.wait(lock, stop, [&] { return first() || g.open(); });
  --g.queued;
  if (g.ended != since) --g.late;
  if (turn) {
    if (patient.count() > 0 && !first()) g.passed = std::min(g.passed + 1, most_doublings);
    ++count;
    g.give_back_left(lock);  // its own memory may have to come from there
  }
  g.changed.notify_all();
  if (!turn) cancelled();
}

void leave(gate& g, int& count) {
  const std::lock_guard lock(g.lock);
  --count;
  g.changed.notify_all();
}

}  // namespace

run_turn::run_turn(gpu_use use, const std::stop_token& stop) {
  const gpu_use has = thread_use();
  if (use == gpu_use::none || has == gpu_use::kernels_that_wait) return;
  if (use == gpu_use::kernels_that_wait) {
    require(has == gpu_use::none,
            "a run of several ranks with a GPU cannot begin inside a run of one GPU or of several "
            "processes, nor inside other work on a GPU: its kernels wait for each other and need "
            "the GPUs for themselves");
    begin_kernels_that_wait(the_gate(), stop);
  } else {
    if (has != gpu_use::none) return;
    begin_beside(the_gate(), the_gate().ending, patience, stop);
  }
  taken_ = use;
}

run_turn::~run_turn() {
  if (taken_ == gpu_use::kernels_that_wait) end_kernels_that_wait(the_gate());
  if (taken_ == gpu_use::kernels_that_end) leave(the_gate(), the_gate().ending);
}

namespace {

/// True when the pause is the thread's first, and counted.
bool begin_pause(const std::stop_token& stop) {
  if (thread_use() != gpu_use::none) return false;
  begin_beside(the_gate(), the_gate().pauses, {}, stop);
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
