// run_work: long work on a thread of its own, while the caller's thread stays open to Ctrl-C.
//
// The library installs no signal handler. A Python call that may take long moves its work to a new
// thread and waits for it without the GIL, in steps of 50 ms: between steps it looks for signals
// (PyErr_CheckSignals acts on the main thread only), reports progress and watches the time limit.
// On Ctrl-C it asks the work to stop through a std::stop_token and waits up to a second. Work that
// has no point at which it could stop is then left behind: closures own all they touch, so that it
// ends by itself; interpreter exit waits for it.
//
// Python ends daemon threads at its exit wherever they ask for the GIL, which no C++ frame
// survives. So a function registered with atexit asks all work to stop, waits for it, and for the
// threads that called: their calls raise SystemExit, with which a thread ends silently. Who comes
// later stays.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <type_traits>
#include <utility>

#include "bindings.hpp"

namespace gossamer_python {

/// What work sees of its caller: where to look for "stop", and where to leave progress.
struct work_control {
  std::stop_source stop;
  std::atomic<std::int64_t> done{0};
  std::atomic<std::int64_t> total{0};  ///< 0 = not known
};

/// An interrupt ends within a second.
constexpr auto patience = std::chrono::milliseconds(800);

/// How to wait for work.
struct work_options {
  nb::object progress = nb::none();    ///< called as progress(done, total) every 50 ms, or None
  std::optional<double> seconds = {};  ///< time limit; rank_error (timed out) with `what` after it
  std::string what = "the work";
  bool may_abandon = true;     ///< false: after Ctrl-C wait until the work has ended
  std::stop_source stop = {};  ///< where "stop" is requested
  /// Set before it is, when the reason is the time limit; may be null.
  std::shared_ptr<std::atomic<bool>> late = {};
  /// How long the work gets to end once it is late.
  std::chrono::milliseconds when_late = patience;
};

/// Lets go of the GIL as long as it lives. At interpreter exit, threads that have are waited for;
/// one that comes back after that does not return.
class without_gil {
 public:
  without_gil();
  ~without_gil();
  without_gil(const without_gil&) = delete;
  without_gil& operator=(const without_gil&) = delete;

 private:
  PyThreadState* thread_;
};

/// Whom this thread's runs tell how far they are, as progress(done, total); None: nobody. Called
/// with the GIL.
void watch_runs(const nb::object& progress);
nb::object watcher_of_runs();

/// For work that may last `seconds`, if they are given.
work_options within(std::optional<double> seconds, std::string what);

/// What is said when the time limit ran out.
std::string overdue(const std::string& what, double seconds);

/// Called with the GIL held; returns with it. Rethrows what the body threw.
void wait_for_work(std::function<void(work_control&)> body, const work_options& options);

/// Runs body(work_control&) as said above and returns what it returns. The body must hold what it
/// uses by value or shared pointer, and must not touch Python objects.
template <class F>
auto run_work(F body, const work_options& options = {}) {
  using result = std::invoke_result_t<F&, work_control&>;
  if constexpr (std::is_void_v<result>) {
    wait_for_work(std::move(body), options);
  } else {
    auto slot = std::make_shared<std::optional<result>>();
    wait_for_work(
        [slot, body = std::move(body)](work_control& c) mutable { slot->emplace(body(c)); },
        options);
    return std::move(**slot);
  }
}

/// Whether Python ends its threads, so that a thread of the library's must not take the GIL.
bool python_has_ended();

/// Whether the interpreter takes its objects down: no thread but this one gets the GIL any more.
/// Called with it.
bool python_is_taken_down();

/// Keeps a Python object alive for C++ owners on any thread; the last owner takes the GIL.
std::shared_ptr<void> keep_alive(nb::object object);

}  // namespace gossamer_python
