#include "work.hpp"

#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "gossamer/base/error.hpp"

namespace gossamer_python {

namespace {

using clock = std::chrono::steady_clock;
constexpr auto step = std::chrono::milliseconds(50);

struct work_state {
  work_control control;
  std::mutex mutex;
  std::condition_variable ended;
  bool done = false;
  std::exception_ptr failure;

  bool wait_until(clock::time_point when) {
    std::unique_lock lock(mutex);
    return ended.wait_until(lock, when, [this] { return done; });
  }
};

// Threads whose callers have gone, joined at interpreter exit.
std::mutex abandoned_mutex;
std::vector<std::thread> abandoned;

void join_abandoned() {
  std::vector<std::thread> threads;
  {
    std::lock_guard lock(abandoned_mutex);
    threads.swap(abandoned);
  }
  nb::gil_scoped_release release;
  for (auto& t : threads) t.join();
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
  nb::gil_scoped_acquire acquire;
  try {
    if (PyErr_CheckSignals() != 0) nb::raise_python_error();
    if (!progress.is_none()) progress(state.control.done.load(), state.control.total.load());
  } catch (...) {
    return std::current_exception();
  }
  return nullptr;
}

}  // namespace

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
  const auto start = clock::now();
  std::thread thread([state, body = std::move(body)]() mutable {
    std::exception_ptr failure;
    try {
      body(state->control);
    } catch (...) {
      failure = std::current_exception();
    }
    body = nullptr;  // owners go before the caller hears of the end
    std::lock_guard lock(state->mutex);
    state->failure = std::move(failure);
    state->done = true;
    state->ended.notify_all();
  });
  const auto late = [&] { return options.late && options.late->load(); };
  std::exception_ptr interrupt;
  bool done = false;
  {
    nb::gil_scoped_release release;
    while (!done && !interrupt) {
      done = state->wait_until(clock::now() + step);
      if (done) break;
      interrupt = look_at_python(*state, options.progress);
      if (!interrupt && options.seconds &&
          clock::now() - start > std::chrono::duration<double>(*options.seconds)) {
        if (options.late) options.late->store(true);
        interrupt = std::make_exception_ptr(
            gossamer::rank_error(overdue(options.what, *options.seconds), -1, -1, true));
      }
    }
    if (interrupt) {
      state->control.stop.request_stop();
      done = options.may_abandon
                 ? state->wait_until(clock::now() + (late() ? options.when_late : patience))
                 : state->wait_until(clock::time_point::max());
    }
    if (done) {
      thread.join();
    } else {
      std::lock_guard lock(abandoned_mutex);
      abandoned.push_back(std::move(thread));
    }
  }
  // The run itself may have found out whom it waited for when its time was up.
  if (interrupt && !(done && late() && is_time_out(state->failure)))
    std::rethrow_exception(interrupt);
  if (state->failure) std::rethrow_exception(state->failure);
}

std::shared_ptr<void> keep_alive(nb::object object) {
  return {object.release().ptr(), [](void* p) {
            if (!nb::is_alive()) return;
            nb::gil_scoped_acquire acquire;
            Py_DECREF(static_cast<PyObject*>(p));
          }};
}

void bind_work(nb::module_& m) {
  m.def("join_abandoned", &join_abandoned,
        "Waits for work that Ctrl-C left behind; registered with atexit.");
  nb::module_::import_("atexit").attr("register")(m.attr("join_abandoned"));
}

}  // namespace gossamer_python
