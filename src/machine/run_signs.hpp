// run_signs: what those who wait for a run's turn see of the run that has it: whose it is, and that
// it makes progress. Private to the library.
//
// A wait for a turn lasts as long as the run before it takes, which nobody knows. What is known is
// that a run whose ranks make no fabric call for its deadline is stuck: its own waits end then, but
// not what its program waits for outside of the fabric. So who waits looks at heartbeats, too, and
// gives up on a run that shows none for longer than any wait inside of it lasts.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "gossamer/base/wait.hpp"

namespace gossamer {

class run_signs {
 public:
  /// `machine`: the spec of the run's machine; `deadline`: of its waits.
  run_signs(std::string machine, std::chrono::nanoseconds deadline);
  run_signs(const run_signs&) = delete;
  run_signs& operator=(const run_signs&) = delete;

  /// From now on the run's signs are changes of beats(), too.
  void follow(std::function<std::uint64_t()> beats);
  /// The run is alive outside of its ranks' programs: it begins, ends, or waits for a turn itself.
  void alive() const;

  /// Changes while the run makes progress.
  [[nodiscard]] std::uint64_t count() const;
  /// Of this run alone, among all of the process.
  [[nodiscard]] std::uint64_t number() const noexcept { return number_; }
  [[nodiscard]] const std::string& machine() const noexcept { return machine_; }
  [[nodiscard]] std::chrono::nanoseconds deadline() const noexcept { return deadline_; }

 private:
  const std::string machine_;
  const std::chrono::nanoseconds deadline_;
  const std::uint64_t number_;
  mutable std::mutex mutex_;
  mutable std::uint64_t own_ = 0;
  std::function<std::uint64_t()> beats_;
};

/// A wait for a turn: how long each run that holds it up has made no progress.
class turn_clock {
 public:
  /// `waits`: the run that waits; null: something else, with the default deadline. `what`: has.
  turn_clock(const run_signs* waits, const char* what);
  /// Between two looks.
  [[nodiscard]] std::chrono::nanoseconds pace() const;
  /// Looks at those that hold the wait up; they must stay meanwhile. Says why to give up, or
  /// nothing. The runs that the waiting thread belongs to are alive as long as these are.
  [[nodiscard]] std::string look(std::span<const run_signs* const> holders);

 private:
  struct seen {
    std::uint64_t number = 0, count = 0;
    std::chrono::nanoseconds since{};
  };
  const run_signs* waits_;
  const char* what_;
  std::chrono::nanoseconds deadline_;
  watchful_clock clock_;
  std::vector<seen> seen_;
};

}  // namespace gossamer
