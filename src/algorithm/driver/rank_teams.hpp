// The threads of CPU ranks that work on one problem: numbered through, and ended by one stop.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <vector>

#include "gossamer/base/wait.hpp"
#include "gossamer/fabric/rank.hpp"
#include "gossamer/machine/executor.hpp"
#include "gossamer/machine/machine.hpp"

namespace gossamer::algorithm_detail {

class rank_teams {
 public:
  /// All threads of all ranks.
  explicit rank_teams(const machine& on) : rank_teams(on, [&](int r) { return on[r].threads; }) {}
  /// `threads_of(rank)` of each.
  template <class ThreadsOf>
  rank_teams(const machine& on, const ThreadsOf& threads_of) {
    for (int r = 0; r < on.size(); ++r) first_.push_back(first_.back() + threads_of(r));
    begun_ = std::make_unique<std::atomic<bool>[]>(static_cast<std::size_t>(threads()));
  }

  /// Of all ranks.
  [[nodiscard]] int threads() const { return first_.back(); }
  [[nodiscard]] int first_thread(const rank& r) const { return first_[at(r)]; }
  [[nodiscard]] int threads_of(const rank& r) const { return first_[at(r) + 1] - first_[at(r)]; }

  /// Before a run.
  void begin() { stopped_ = false; }
  void stop() { stopped_ = true; }
  [[nodiscard]] bool stopped() const { return stopped_.load(std::memory_order_relaxed); }

  /// f(thread, ask) for the rank's threads: as a team if `together`, else one after the other, as
  /// always on models. ask(done…) says whether to go on. On the rank's own thread it first calls
  /// charge(done…) and tells of progress(), from 0 to 1. Having nothing left to do, that thread
  /// does what others have not begun, and goes on telling until they are ready. What it meets there
  /// ends all threads of all ranks, and is thrown when the rank's own have ended.
  template <class Charge, class Progress, class F>
  void each(rank& r, bool together, const Charge& charge, const Progress& progress, const F& f) {
    const int first = first_thread(r), threads = threads_of(r);
    std::exception_ptr failure;
    const auto tell = [&](const auto&... done) {
      if (failure) return;
      try {
        if constexpr (sizeof...(done) > 0) charge(done...);
        r.progress(progress());
      } catch (...) {
        failure = std::current_exception();
        stop();
      }
    };
    std::atomic<bool>* const begun = begun_.get() + first;
    for (int t = 0; t < threads; ++t) begun[t] = false;
    std::atomic<int> busy{threads};
    const bool team = together && threads > 1 && r.dev().model == nullptr;
    for_each(cpu_team{team ? threads : 1}, threads, [&](std::int64_t i) {
      const bool own = i == 0;  // whoever calls has the first
      const auto work = [&](std::int64_t t) {
        if (begun[t].exchange(true)) return;
        f(first + static_cast<int>(t), [&](const auto&... done) {
          if (own) tell(done...);
          return !stopped();
        });
        --busy;
      };
      work(i);
      if (!own) return;
      // Others may be late, and fewer than asked for.
      for (int t = 1; t < threads; ++t) work(t);
      backoff wait;
      while (busy > 0 && !failure)
        if (wait.pause()) tell();
    });
    if (failure) std::rethrow_exception(failure);
  }

 private:
  static std::size_t at(const rank& r) { return static_cast<std::size_t>(r.id()); }

  std::vector<int> first_{0};                   ///< [ranks + 1]
  std::unique_ptr<std::atomic<bool>[]> begun_;  ///< [threads] of all ranks
  std::atomic<bool> stopped_{false};
};

}  // namespace gossamer::algorithm_detail
