// restartable: a prepared computation (a search, a solver) that Python runs any number of times.
//
// It comes from what is kept (placement/kept.hpp) and goes back there with this object. Each run
// has a stop token of its own, which is told why it stops, so that ranks in other processes, whose
// limits have not run out yet, fail with the same error. After a run that failed the next one
// makes it anew. Runs of one object take turns.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>

#include "gossamer/machine/forks.hpp"
#include "gossamer/placement/kept.hpp"
#include "machine.hpp"
#include "work.hpp"

namespace gossamer_python {

template <class Prepared>
class restartable {
 public:
  using prepared = std::shared_ptr<Prepared>;
  /// Makes it under the run_options of the call, or finds it.
  using maker = std::function<prepared(const gossamer::run_options&)>;

  /// `what` and `seconds` name and bound each run on `where`, which outlives it whatever Python
  /// drops first; `how`: deadline and trace of all runs. Made now, so that what cannot be made is
  /// refused here.
  restartable(std::string what, std::optional<double> seconds, machine_handle where,
              gossamer::run_options how, maker make)
      : what_(std::move(what)), seconds_(seconds), state_(std::make_shared<state>()) {
    state_->machine = std::move(where);
    state_->make = std::move(make);
    state_->how = std::move(how);
    call([](Prepared&) { return 0; }, false);
  }
  /// f(Prepared&) on a thread of its own; see run_work. `f` must own what it uses.
  template <class F>
  auto run(F f) {
    return call(std::move(f), true);
  }

 private:
  /// Of a run, for whom it tells how far it is.
  static constexpr int parts = 1000;

  struct state : gossamer::call_lock {
    machine_handle machine;  // before `made`, which goes first
    maker make;
    gossamer::run_options how;
    prepared made;

   private:
    void lose() noexcept final { ::new (&made) prepared; }  // the next run makes it anew
  };

  template <class F>
  auto call(F f, bool bounded) {
    work_options options;
    const auto late = std::make_shared<std::atomic<bool>>(false);
    std::string text;
    if (bounded) {
      options.seconds = seconds_;
      options.what = what_;
      options.late = late;
      options.progress = watcher_of_runs();
      // Which process is gone shows within five seconds, see process_carrier::patience.
      if (!state_->machine->all_here()) options.when_late = std::chrono::seconds(6);
      if (seconds_) text = overdue(what_, *seconds_);
    }
    const bool watched = !options.progress.is_none();
    return run_work(
        [state = state_, f = std::move(f), late, text, watched](work_control& control) mutable {
          const std::lock_guard lock(*state);
          gossamer::run_options how = state->how;
          how.cancel = control.stop.get_token();
          if (watched) {
            how.progress = [&control](double share) {
              control.done = static_cast<std::int64_t>(share * parts);
              control.total = parts;  // of engines that tell nothing it stays unknown
            };
          }
          how.overdue = [late, text] { return late->load() ? text : std::string(); };
          if (!state->made) state->made = state->make(how);
          try {
            return gossamer::kept::run(state->made, how, f);
          } catch (const gossamer::usage_error&) {
            throw;
          } catch (...) {
            state->made.reset();
            throw;
          }
        },
        options);
  }

  const std::string what_;
  const std::optional<double> seconds_;
  std::shared_ptr<state> state_;
};

}  // namespace gossamer_python
