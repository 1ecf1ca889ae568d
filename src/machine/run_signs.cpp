// Counts of runs and their heartbeats, and the clock of a waiter, which names the run that has
// stood still for too long.
#include "machine/run_signs.hpp"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <utility>

#include "gossamer/base/configuration.hpp"
#include "machine/thread_runs.hpp"

namespace gossamer {

namespace {

std::uint64_t next_number() {
  static std::atomic<std::uint64_t> runs{0};
  return ++runs;
}

}  // namespace

run_signs::run_signs(std::string machine, std::chrono::nanoseconds deadline)
    : machine_(std::move(machine)), deadline_(deadline), number_(next_number()) {}

void run_signs::follow(std::function<std::uint64_t()> beats) {
  const std::lock_guard lock(mutex_);
  beats_ = std::move(beats);
}

void run_signs::alive() const {
  const std::lock_guard lock(mutex_);
  ++own_;
}

std::uint64_t run_signs::count() const {
  const std::lock_guard lock(mutex_);
  return own_ + (beats_ ? beats_() : 0);
}

turn_clock::turn_clock(const run_signs* waits, const char* what)
    : waits_(waits),
      what_(what),
      deadline_(waits != nullptr ? waits->deadline() : configuration::default_deadline()),
      clock_(deadline_) {}

std::chrono::nanoseconds turn_clock::pace() const {
  using std::chrono::milliseconds;
  return std::clamp<std::chrono::nanoseconds>(deadline_ / 16, milliseconds(1), milliseconds(100));
}

std::string turn_clock::look(std::span<const run_signs* const> holders) {
  const auto now = clock_.look();
  std::vector<seen> still;
  bool moved = false;
  std::string stuck;
  for (const run_signs* run : holders) {
    seen here{run->number(), run->count(), now};
    for (const seen& before : seen_)
      if (before.number == here.number && before.count == here.count) here.since = before.since;
    moved = moved || here.since == now;
    // Whoever waits inside that run, with its deadline, has to speak first.
    const auto limit = 2 * std::max(deadline_, run->deadline()) + std::chrono::seconds(1);
    if (stuck.empty() && now - here.since > limit) {
      char seconds[32];
      std::snprintf(seconds, sizeof seconds, "%.3g s",
                    std::chrono::duration<double>(now - here.since).count());
      stuck = (waits_ != nullptr ? "machine '" + waits_->machine() + "': " : std::string()) +
              "waited for " + what_ + ", which a run of machine '" + run->machine() +
              "' has that has made no progress for " + seconds;
    }
    still.push_back(here);
  }
  seen_ = std::move(still);
  if (moved)
    for (const auto* r = thread_runs(); r != nullptr; r = r->outer)
      if (r->signs != nullptr) r->signs->alive();
  return stuck;
}

}  // namespace gossamer
