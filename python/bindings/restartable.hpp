// restartable: a prepared computation (a search, a solver) that Python runs any number of times.
//
// Its stop token is part of how it was made, so one that was told to stop cannot run again: the
// next run makes a new one. Runs of one object take turns. The token is told why it stops, so that
// ranks in other processes, whose limits have not run out yet, fail with the same error.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>

#include "gossamer/machine/machine.hpp"
#include "work.hpp"

namespace gossamer_python {

template <class Prepared>
class restartable {
 public:
  /// Takes run_options with `cancel` and `overdue` set.
  using maker = std::function<std::unique_ptr<Prepared>(const gossamer::run_options&)>;

  /// `what` and `seconds` name and bound each run on `where`; `make` is called by the first.
  restartable(std::string what, std::optional<double> seconds, const gossamer::machine& where,
              maker make)
      : what_(std::move(what)),
        seconds_(seconds),
        processes_(!where.all_here()),
        state_(std::make_shared<state>()) {
    state_->make = std::move(make);
    if (seconds_) state_->text = overdue(what_, *seconds_);
  }
  /// Makes it now, so that what cannot be made is refused here.
  void prepare() {
    run_work([state = state_](work_control&) { state->prepared(); });
  }
  /// f(Prepared&) on a thread of its own; see run_work. `f` must own what it uses.
  template <class F>
  auto run(F f) {
    auto state = usable();
    work_options options;
    options.seconds = seconds_;
    options.what = what_;
    options.stop = state->stop;
    options.late = state->late;
    // Which process is gone shows within five seconds, see process_carrier::patience.
    if (processes_) options.when_late = std::chrono::seconds(6);
    return run_work(
        [state, f = std::move(f)](work_control&) mutable {
          std::lock_guard lock(state->mutex);
          return f(state->prepared());
        },
        options);
  }

 private:
  struct state {
    std::mutex mutex;
    std::stop_source stop;
    std::shared_ptr<std::atomic<bool>> late = std::make_shared<std::atomic<bool>>(false);
    std::string text;  ///< of the error when the time limit has run out
    maker make;
    std::unique_ptr<Prepared> made;
    // Caller holds `mutex`, or is the only owner.
    Prepared& prepared() {
      if (made) return *made;
      gossamer::run_options run;
      run.cancel = stop.get_token();
      run.overdue = [late = late, text = text] { return late->load() ? text : std::string(); };
      made = make(run);
      return *made;
    }
  };
  std::shared_ptr<state> usable() {
    std::lock_guard lock(*mutex_);
    if (state_->stop.stop_requested()) {
      auto fresh = std::make_shared<state>();
      fresh->make = state_->make;
      fresh->text = state_->text;
      state_ = std::move(fresh);
    }
    return state_;
  }
  std::unique_ptr<std::mutex> mutex_ = std::make_unique<std::mutex>();  // so that it moves
  const std::string what_;
  const std::optional<double> seconds_;
  const bool processes_;  ///< ranks are processes, and one may be gone when a run is late
  std::shared_ptr<state> state_;
};

}  // namespace gossamer_python
