#include "gossamer/base/wait.hpp"

#include <sched.h>

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
constexpr std::uint64_t yields = 200;
}  // namespace

bool backoff::pause() {
  ++polls_;
  if (polls_ <= spins_) {
    cpu_relax();
    return polls_ == spins_;
  }
  if (polls_ <= spins_ + yields) {
    sched_yield();
    return (polls_ & 31) == 0;
  }
  auto step = std::min<std::uint64_t>(100, polls_ - spins_ - yields);
  std::this_thread::sleep_for(std::chrono::microseconds(step));
  return true;
}

}  // namespace gossamer
