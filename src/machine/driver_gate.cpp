// driver_gate: one lock and a few counts. A turn costs some 50 ns beside a run's microseconds; an
// allocation, which costs the driver more than that, one uncontended lock.
#include "machine/driver_gate.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "gossamer/base/error.hpp"
#include "gossamer/base/wait.hpp"
#include "gossamer/machine/forks.hpp"
#include "machine/run_signs.hpp"

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
  std::vector<returned> left;          ///< by when_clear
  std::vector<const run_signs*> runs;  ///< that have their turn

  void enter(const run_signs* signs) {
    if (signs != nullptr) runs.push_back(signs);
  }
  void leave(const run_signs* signs) { std::erase(runs, signs); }
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

/// A wait at the gate, which ends by a stop, too, or because a run makes no progress.
class gate_wait {
 public:
  gate_wait(gate& g, const run_signs* waits, const std::stop_token& stop)
      : gate_(g), stop_(stop), clock_(waits, "the GPUs") {}
  /// True when `ready` holds, false when it does not and `until` is over or there is no turn to
  /// come: see give_up().
  template <class F>
  bool operator()(std::unique_lock<std::mutex>& lock, const F& ready,
                  steady::time_point until = steady::time_point::max()) {
    while (!ready()) {
      const auto now = steady::now();
      if (until <= now) return false;
      const auto slice = std::min<std::chrono::nanoseconds>(until - now, clock_.pace());
      if (gate_.changed.wait_for(lock, stop_, slice, ready)) return true;
      if (stop_.stop_requested()) return false;
      stuck_ = clock_.look(gate_.runs);
      if (!stuck_.empty()) return false;
    }
    return true;
  }
  [[nodiscard]] bool over() const { return stop_.stop_requested() || !stuck_.empty(); }
  [[noreturn]] void give_up() const {
    if (!stuck_.empty()) throw rank_error(stuck_, -1, -1, true);
    throw cancelled_error("cancelled before it began: another run has the GPUs");
  }

 private:
  gate& gate_;
  const std::stop_token& stop_;
  turn_clock clock_;
  std::string stuck_;
};

/// Does what was left to a run that does not have the GPUs, any more or after all.
void give_back_as_pause(gate& g, std::unique_lock<std::mutex>& lock) {
  ++g.pauses;
  g.give_back_left(lock);
  --g.pauses;
}

void begin_kernels_that_wait(gate& g, const run_signs* signs, const std::stop_token& stop) {
  gate_wait wait(g, signs, stop);
  std::unique_lock lock(g.lock);
  ++g.waiting;
  const bool turn =
      wait(lock, [&] { return !g.held && g.ending == 0 && g.pauses == 0 && g.late == 0; });
  --g.waiting;
  if (turn) {
    g.enter(signs);  // first, since it may lack memory
    g.held = true;
    g.passed = 0;
    g.give_back_left(lock);  // its own memory may have to come from there
    return;
  }
  if (g.open()) give_back_as_pause(g, lock);  // otherwise there is another run to do it
  g.changed.notify_all();
  wait.give_up();
}

void end_kernels_that_wait(gate& g, const run_signs* signs) {
  std::unique_lock lock(g.lock);
  g.leave(signs);
  g.give_back_left(lock);  // before those that waited take more
  g.held = false;
  ++g.ended;
  g.late = g.queued;
  give_back_as_pause(g, lock);
  g.changed.notify_all();
}

/// Counts one more in `count` when it may begin: when no run whose kernels wait holds the GPUs or
/// comes first, and, after `patient`, while any run goes on.
void begin_beside(gate& g, int& count, std::chrono::seconds patient, const run_signs* signs,
                  const std::stop_token& stop) {
  gate_wait wait(g, signs, stop);
  std::unique_lock lock(g.lock);
  const auto since = g.ended;
  const auto first = [&] { return !g.held && (g.waiting == 0 || g.ended != since); };
  ++g.queued;
  bool turn = wait(lock, first, steady::now() + patient * (1 << g.passed));
  if (!turn && !wait.over()) turn = wait(lock, [&] { return first() || g.open(); });
  --g.queued;
  if (g.ended != since) --g.late;
  if (turn) {
    g.enter(signs);  // first, since it may lack memory
    if (patient.count() > 0 && !first()) g.passed = std::min(g.passed + 1, most_doublings);
    ++count;
    g.give_back_left(lock);  // its own memory may have to come from there
  }
  g.changed.notify_all();
  if (!turn) wait.give_up();
}

void leave(gate& g, int& count, const run_signs* signs = nullptr) {
  const std::lock_guard lock(g.lock);
  --count;
  g.leave(signs);
  g.changed.notify_all();
}

}  // namespace

run_turn::run_turn(gpu_use use, const std::stop_token& stop, const run_signs* signs)
    : signs_(signs) {
  const gpu_use has = thread_use();
  if (use == gpu_use::none || has == gpu_use::kernels_that_wait) return;
  if (use == gpu_use::kernels_that_wait) {
    require(has == gpu_use::none,
            "a run of several ranks with a GPU cannot begin inside a run of one GPU or of several "
            "processes, nor inside other work on a GPU: its kernels wait for each other and need "
            "the GPUs for themselves");
    begin_kernels_that_wait(the_gate(), signs, stop);
  } else {
    if (has != gpu_use::none) return;
    begin_beside(the_gate(), the_gate().ending, patience, signs, stop);
  }
  taken_ = use;
}

run_turn::~run_turn() {
  if (taken_ == gpu_use::kernels_that_wait) end_kernels_that_wait(the_gate(), signs_);
  if (taken_ == gpu_use::kernels_that_end) leave(the_gate(), the_gate().ending, signs_);
}

namespace {

/// True when the pause is the thread's first, and counted.
bool begin_pause(const std::stop_token& stop) {
  if (thread_use() != gpu_use::none) return false;
  begin_beside(the_gate(), the_gate().pauses, {}, nullptr, stop);
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
