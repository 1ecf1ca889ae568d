// The ring of a delay line, and a clock that costs less than the operations that it times.
#include "gossamer/task/delay_line.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <thread>

namespace gossamer {

namespace {

#if defined(__x86_64__)
// The time stamp counter: 5 to 10 ns, where steady_clock takes 20 to 50 in a virtual machine. It
// counts at one rate on every processor since 2008 that Linux takes its own clock from.
std::uint64_t ticks() noexcept {
  return __builtin_ia32_rdtsc();
}

// Each try counts ticks from before to after the time that it divides by, so that none is too low,
// wherever the thread is interrupted; the lowest was interrupted least.
double ticks_per_nanosecond() {
  double rate = std::numeric_limits<double>::max();
  for (int tried = 0; tried < 5; ++tried) {
    const std::uint64_t first = ticks();
    const auto begin = steady::now();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    const std::chrono::duration<double, std::nano> passed = steady::now() - begin;
    const std::uint64_t last = ticks();
    rate = std::min(rate, static_cast<double>(last - first) / passed.count());
  }
  return rate;
}
#else
std::uint64_t ticks() noexcept {
  return static_cast<std::uint64_t>(steady::now().time_since_epoch() / std::chrono::nanoseconds(1));
}
double ticks_per_nanosecond() {
  return 1;
}
#endif

/// Rounded up by more than the rate may be wrong: a delay is never too short.
std::uint64_t ticks_of(std::chrono::nanoseconds delay) {
  static const double rate = ticks_per_nanosecond();
  return static_cast<std::uint64_t>(std::ceil(1.0005 * rate * static_cast<double>(delay.count())));
}

}  // namespace

delay_line::delay_line(scheduler& s, std::chrono::nanoseconds delay, std::size_t most)
    : s_(&s), delay_(ticks_of(delay)), most_(most), under_way_(std::bit_ceil(most)) {
  require(most > 0, "delay_line: room for one operation at least");
  s.add(*this);
}

std::coroutine_handle<> delay_line::issue(task_promise& running) {
  require(pending() < most_, "delay_line: more operations than it was made for");
  at(issued_++) = {ticks() + delay_, &running};
  return s_->set_aside();
}

void delay_line::poll() {
  if (pending() == 0) return;
  const std::uint64_t now = ticks();
  while (pending() > 0) {
    const operation& first = at(completed_);
    if (first.due > now) return;
    ++completed_;
    s_->ready(*first.task);
  }
}

}  // namespace gossamer
