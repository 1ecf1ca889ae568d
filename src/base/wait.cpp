// The steps of a wait: pause instructions, sched_yield(), then sleep on a futex that whoever raises
// a signal may wake.
#include "gossamer/base/wait.hpp"

#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <thread>

namespace gossamer {

namespace {
void cpu_relax() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}
constexpr std::uint64_t yields = 8;
}  // namespace

// The futex calls themselves (futex(2)): std::atomic::wait knows no deadline, and yields before it
// sleeps. Results are ignored, since every caller looks at its word again.
void sleep_on(const std::uint32_t& word, std::uint32_t value, std::chrono::nanoseconds limit) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(limit);
  timespec left{};
  left.tv_sec = static_cast<time_t>(seconds.count());
  left.tv_nsec = static_cast<long>((limit - seconds).count());
  syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, value, &left, nullptr, 0);
}

void wake_sleepers(std::uint32_t& word, int count) {
  syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, count, nullptr, nullptr, 0);
}

// A wait inside another one's condition finds the place announced, and leaves it so when it ends.
void backoff::announce() {
  if (std_atomics::compare_and_swap(place_->asleep_, 0u, 1u) == 0) announced_ = true;
}

bool backoff::pause() {
  ++polls_;
  if (polls_ <= spins_) {
    cpu_relax();
    return polls_ == spins_;
  }
  if (polls_ <= spins_ + yields) {
    sched_yield();
    // The announcement comes before the caller's next look at its condition.
    if (polls_ == spins_ + yields && place_ != nullptr) announce();
    return polls_ == spins_ + yields;
  }
  const std::chrono::microseconds step(std::min<std::uint64_t>(100, polls_ - spins_ - yields));
  if (place_ == nullptr) {
    std::this_thread::sleep_for(step);
    return true;
  }
  sleep_on(place_->asleep_, 1, step);
  announce();
  return true;
}

}  // namespace gossamer
