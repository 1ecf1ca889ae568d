// Links and routers as Python has them: a wiring whose policies may be Python's functions, and what
// the program of one rank sees of a run.
//
// Programs, policies and callbacks run on the rank's own thread and take the GIL; whatever they ask
// of the flow lets it go. So ranks wait for each other without it, and nobody holds it while he
// waits. Of Python's functions only addresses are kept here: the package's objects own them, where
// the garbage collector sees the cycles that such functions make.
#pragma once

#include <atomic>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "gossamer/base/error.hpp"
#include "gossamer/dataflow/flow.hpp"
#include "machine.hpp"
#include "side_thread.hpp"
#include "work.hpp"

namespace gossamer_python {

/// One rank's flow, as long as the run goes on, and after it to say so.
struct open_flow {
  gossamer::dataflow::flow* flow = nullptr;  ///< null: the run has ended
  int rank = 0, ranks = 0;
  int ordinal = -1;                   ///< of the rank's GPU
  std::unique_ptr<side_thread> side;  ///< where ranks are fibers
  std::thread::id user;               ///< the thread that Python's code runs on
  unsigned long python_thread = 0;    ///< the same, as Python counts threads
  bool away = false;                  ///< the thread is in the library (changed with the GIL)
  std::shared_ptr<void> memory;       ///< that receive buffers lie in
  std::shared_ptr<void> failed;       ///< the first exception of a policy or a callback
  std::exception_ptr passed;          ///< the library's last error that Python's code was given

  /// Whether the run goes on, and this thread is the rank's.
  [[nodiscard]] bool is_open_here() const {
    return flow != nullptr && std::this_thread::get_id() == user;
  }
  /// On the rank's side and without the GIL, work that Python's code asked for.
  template <class F>
  auto ask(F work);
  /// On Python's side and with the GIL, from inside of such work.
  template <class F>
  void call(F work);
};
using flow_handle = std::shared_ptr<open_flow>;

/// A wiring, its machine, and the flows of its run by rank.
struct wiring_object {
  explicit wiring_object(machine_handle m)
      : machine(std::move(m)), wires(*machine), flows(static_cast<std::size_t>(machine->size())) {}
  machine_handle machine;
  gossamer::dataflow::wiring wires;
  std::vector<flow_handle> flows;
  std::atomic<int> runs{0};
};

/// What a rank's Python code raised. The run's other ranks, and whoever has no Python, get `what`.
class program_failed : public gossamer::rank_error {
 public:
  program_failed(const std::string& what, int rank, int peer, bool timed_out,
                 std::shared_ptr<void> raised)
      : rank_error(what, rank, peer, timed_out), raised_(std::move(raised)) {}
  [[nodiscard]] PyObject* raised() const noexcept { return static_cast<PyObject*>(raised_.get()); }

 private:
  std::shared_ptr<void> raised_;
};

/// Flow, Segment and Sending.
void bind_flow(nb::module_& m);

template <class F>
auto open_flow::ask(F work) {
  using result = decltype(work(*flow));
  gossamer::require(flow != nullptr, "dataflow: the run of this flow has ended");
  gossamer::require(std::this_thread::get_id() == user,
                    "dataflow: only the thread of its rank may use a flow");
  std::exception_ptr failure;
  std::conditional_t<std::is_void_v<result>, char, std::optional<result>> found{};
  const std::function<void()> job = [&] {
    if constexpr (std::is_void_v<result>)
      work(*flow);
    else
      found.emplace(work(*flow));
  };
  away = true;
  {
    const nb::gil_scoped_release released;
    try {
      if (side != nullptr)
        side->on_fiber(job);
      else
        job();
    } catch (const gossamer::error&) {
      passed = failure = std::current_exception();
    } catch (...) {
      failure = std::current_exception();
    }
  }
  away = false;
  if (failure) std::rethrow_exception(failure);
  if constexpr (!std::is_void_v<result>) return std::move(*found);
}

template <class F>
void open_flow::call(F work) {
  const std::function<void()> job = [&] {
    const nb::gil_scoped_acquire acquired;
    away = false;
    try {
      work();
    } catch (const nb::python_error& e) {
      if (failed == nullptr) failed = keep_alive(nb::borrow(e.value()));
      away = true;
      throw;
    } catch (...) {
      away = true;
      throw;
    }
    away = true;
  };
  if (side != nullptr)
    side->on_thread(job);
  else
    job();
}

}  // namespace gossamer_python
