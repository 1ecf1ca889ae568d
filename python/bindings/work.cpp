#include "work.hpp"

#include <cxxabi.h>
#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <new>
#include <thread>
#include <utility>
#include <vector>

#include "gossamer/base/error.hpp"
#include "gossamer/base/throwing.hpp"
#include "gossamer/machine/run_membership.hpp"

namespace gossamer_python {

namespace {

using clock = std::chrono::steady_clock;
constexpr auto step = std::chrono::milliseconds(50);
// What threads get at interpreter exit to come back with the end of their calls. All but those that
// a progress function of the caller's holds up need no more than a few steps.
constexpr auto exit_patience = std::chrono::seconds(5);

/// Looks again and again for a moment, since to sleep and be woken takes 10 us and more; gives way
/// to whoever wants the core.
template <class F>
void look_for_a_moment(const F& is) {
  constexpr auto moment = std::chrono::microseconds(50);
  for (const auto begun = clock::now(); !is() && clock::now() - begun < moment;)
    std::this_thread::yield();
}

struct work_state {
  work_control control;
  bool left = false;  ///< the caller has gone (under the mutex of `calls`)
  std::mutex mutex;
  std::condition_variable ended;
  std::atomic<bool> done{false};  ///< changed under the mutex
  std::exception_ptr failure;

  bool wait_until(clock::time_point when) {
    look_for_a_moment([this] { return done.load(); });
    std::unique_lock lock(mutex);
    return ended.wait_until(lock, when, [this] { return done.load(); });
  }
};
using shared_state = std::shared_ptr<work_state>;

// A thread that runs work, and then waits for more of it: making one takes longer than short work
// does (50 us and more; a wake-up takes 5 to 10).
struct worker {
  std::thread thread;
  std::condition_variable changed;  ///< under the mutex of `calls`, as the next
  std::function<void()> job;
  std::atomic<bool> called{false};  ///< there is one, or the interpreter ends
};
constexpr std::size_t most_idle = 4;

// What goes on in this process, for the interpreter's exit.
struct calls {
  std::mutex mutex;
  std::condition_variable changed;
  std::vector<shared_state> running;  ///< whose end nobody has seen
  std::vector<std::shared_ptr<worker>> workers, idle;
  int away = 0;          ///< threads of Python's that have let go of the GIL here
  bool ending = false;   ///< other threads than `last` begin nothing any more
  bool ended = false;    ///< and touch Python no more
  std::thread::id last;  ///< ends the interpreter

  [[nodiscard]] bool is_over(bool calls::*what) {
    std::lock_guard lock(mutex);
    return this->*what && std::this_thread::get_id() != last;
  }
};

// Never destroyed: threads may be left when the process ends.
calls& all_calls() {
  static calls& made = *[] {
    auto* c = new calls;
    // A child has none of these threads, and nobody who would unlock the mutex.
    pthread_atfork(nullptr, nullptr, [] { new (&all_calls()) calls; });
    return c;
  }();
  return made;
}

// Python ends its daemon threads when they ask for the GIL after its exit has begun, by unwinding
// them (3.14 stops them), which no C++ frame survives. They wait for the process's end here.
[[noreturn]] void stay() {
  while (true) ::pause();
}

/// What a worker does, until there are enough others, or the interpreter ends.
void serve(const std::shared_ptr<worker>& self) {
  calls& all = all_calls();
  std::unique_lock lock(all.mutex);
  while (self->job) {
    lock.unlock();
    std::exchange(self->job, nullptr)();
    lock.lock();
    if (all.ending) return;  // who ends the interpreter joins it
    if (all.idle.size() >= most_idle) break;
    self->called = false;
    all.idle.push_back(self);
    lock.unlock();
    look_for_a_moment([&] { return self->called.load(); });
    lock.lock();
    self->changed.wait(lock, [&] { return self->job || all.ending; });
  }
  if (all.ending) return;
  std::erase(all.workers, self);
  self->thread.detach();
}

/// Starts it; false when the interpreter is ending.
bool start(const shared_state& state, std::function<void()> run) {
  calls& all = all_calls();
  std::lock_guard lock(all.mutex);
  if (all.ending) {
    if (std::this_thread::get_id() != all.last) return false;
    std::thread(std::move(run)).detach();  // its caller waits for it
    all.running.push_back(state);
    return true;
  }
  all.running.push_back(state);
  if (!all.idle.empty()) {
    const auto next = std::move(all.idle.back());
    all.idle.pop_back();
    next->job = std::move(run);
    next->called = true;
    next->changed.notify_one();
    return true;
  }
  try {
    const auto next = std::make_shared<worker>();
    next->job = std::move(run);
    all.workers.push_back(next);
    next->thread = std::thread(serve, next);
  } catch (...) {
    all.running.pop_back();
    if (!all.workers.empty() && !all.workers.back()->thread.joinable()) all.workers.pop_back();
    throw;
  }
  return true;
}

/// The caller goes.
void leave(const shared_state& state, bool done) {
  calls& all = all_calls();
  std::lock_guard lock(all.mutex);
  state->left = !done;
  if (done) std::erase(all.running, state);
}

void join_abandoned() {
  calls& all = all_calls();
  std::vector<shared_state> gone;
  {
    std::lock_guard lock(all.mutex);
    const auto first = std::partition(all.running.begin(), all.running.end(),
                                      [](const shared_state& s) { return !s->left; });
    gone.assign(first, all.running.end());
    all.running.erase(first, all.running.end());
  }
  nb::gil_scoped_release release;
  for (const auto& state : gone) state->wait_until(clock::time_point::max());
}

// At exit, before Python ends its daemon threads: what they do here ends, and they come back.
void end_calls() {
  calls& all = all_calls();
  std::vector<shared_state> running;
  std::vector<std::shared_ptr<worker>> workers;
  {
    std::lock_guard lock(all.mutex);
    all.ending = true;
    all.last = std::this_thread::get_id();
    running.swap(all.running);
    workers.swap(all.workers);
    all.idle.clear();
    for (const auto& one : workers) {
      one->called = true;
      one->changed.notify_one();
    }
  }
  nb::gil_scoped_release release;
  for (const auto& state : running) state->control.stop.request_stop();
  for (const auto& one : workers) one->thread.join();
  std::unique_lock lock(all.mutex);
  all.changed.wait_for(lock, exit_patience, [&] { return all.away == 0; });
  all.ended = true;
}

// What a thread is told that calls while the interpreter ends: it ends silently, as at exit threads
// do. Holds the GIL.
[[noreturn]] void raise_exit() {
  PyErr_SetNone(PyExc_SystemExit);
  nb::raise_python_error();
}

/// Whether a failure is the time-out that the run itself has found out more about.
bool is_time_out(const std::exception_ptr& failure) {
  if (!failure) return false;
  try {
    std::rethrow_exception(failure);
  } catch (const gossamer::rank_error& e) {
    return e.timed_out();
  } catch (...) {
    return false;
  }
}

// One look at Python: signals and progress. Returns what to raise, or nothing.
std::exception_ptr look_at_python(const work_state& state, const nb::object& progress) {
  if (all_calls().is_over(&calls::ended)) stay();
  nb::gil_scoped_acquire acquire;
  try {
    if (PyErr_CheckSignals() != 0) nb::raise_python_error();
    if (!progress.is_none()) progress(state.control.done.load(), state.control.total.load());
  } catch (const abi::__forced_unwind&) {
    stay();  // the function outlasted the interpreter
  } catch (...) {
    return std::current_exception();
  }
  return nullptr;
}

}  // namespace

without_gil::without_gil() {
  {
    calls& all = all_calls();
    std::lock_guard lock(all.mutex);
    ++all.away;
  }
  thread_ = PyEval_SaveThread();
}

without_gil::~without_gil() {
  calls& all = all_calls();
  if (all.is_over(&calls::ended)) stay();
  PyEval_RestoreThread(thread_);
  std::lock_guard lock(all.mutex);
  --all.away;
  all.changed.notify_all();
}

namespace {
/// A reference of its own; a thread that ends with one keeps it.
thread_local PyObject* watcher = nullptr;
}  // namespace

void watch_runs(const nb::object& progress) {
  nb::object given = progress;
  PyObject* const before = watcher;
  watcher = given.is_none() ? nullptr : given.release().ptr();
  Py_XDECREF(before);
}

nb::object watcher_of_runs() {
  return watcher == nullptr ? nb::none() : nb::borrow(watcher);
}

work_options within(std::optional<double> seconds, std::string what) {
  gossamer::require(!seconds || *seconds > 0, "timeout: not a positive number of seconds");
  work_options options;
  options.seconds = seconds;
  options.what = std::move(what);
  return options;
}

std::string overdue(const std::string& what, double seconds) {
  std::string limit = std::to_string(seconds);
  limit.erase(limit.find_last_not_of('0') + 1);
  if (limit.back() == '.') limit.pop_back();
  return what + " did not end within " + limit + " s";
}

void wait_for_work(std::function<void(work_control&)> body, const work_options& options) {
  auto state = std::make_shared<work_state>();
  state->control.stop = options.stop;
  const auto begun = clock::now();
  const gossamer::run_membership runs;
  const bool started = start(state, [state, runs, body = std::move(body)]() mutable {
    const gossamer::run_membership::scope inside(runs);
    std::exception_ptr failure = gossamer::failure_of([&] { body(state->control); });
    body = nullptr;  // owners go before the caller hears of the end
    std::lock_guard lock(state->mutex);
    state->failure = std::move(failure);
    state->done = true;
    state->ended.notify_all();
  });
  if (!started) raise_exit();
  const auto late = [&] { return options.late && options.late->load(); };
  std::exception_ptr interrupt;
  bool done = false;
  {
    const without_gil released;
    while (!done && !interrupt) {
      done = state->wait_until(clock::now() + step);
      if (done) break;
      interrupt = look_at_python(*state, options.progress);
      if (!interrupt && options.seconds &&
          clock::now() - begun > std::chrono::duration<double>(*options.seconds)) {
        if (options.late) options.late->store(true);
        interrupt = std::make_exception_ptr(
            gossamer::rank_error(overdue(options.what, *options.seconds), -1, -1, true));
      }
    }
    if (interrupt) {
      state->control.stop.request_stop();
      done = options.may_abandon && !runs.any()  // which it must not outlive
                 ? state->wait_until(clock::now() + (late() ? options.when_late : patience))
                 : state->wait_until(clock::time_point::max());
    }
    leave(state, done);
  }
  if (all_calls().is_over(&calls::ending)) raise_exit();
  // The run itself may have found out whom it waited for when its time was up.
  if (interrupt && !(done && late() && is_time_out(state->failure)))
    std::rethrow_exception(interrupt);
  if (state->failure) std::rethrow_exception(state->failure);
}

bool python_has_ended() {
  return !nb::is_alive() || all_calls().is_over(&calls::ended);
}

bool python_is_taken_down() {
  const nb::handle ask = PySys_GetObject("is_finalizing");  // gone with the rest of its module
  return !ask.is_valid() || nb::cast<bool>(ask());
}

std::shared_ptr<void> keep_alive(nb::object object) {
  return {object.release().ptr(), [](void* p) {
            if (python_has_ended()) return;
            nb::gil_scoped_acquire acquire;
            Py_DECREF(static_cast<PyObject*>(p));
          }};
}

void bind_work(nb::module_& m) {
  m.def("watch_runs", &watch_runs, nb::arg("progress").none(),
        "Whom this thread's runs tell how far they are, as progress(done, total).");
  m.def("join_abandoned", &join_abandoned, "Waits for work that Ctrl-C left behind.");
  m.def("end_calls", &end_calls,
        "Ends calls of all threads, and waits for work left behind; registered with atexit.");
  nb::module_::import_("atexit").attr("register")(m.attr("end_calls"));
}

}  // namespace gossamer_python
