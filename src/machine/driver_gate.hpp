// driver_gate: keeps what makes the CUDA driver wait for kernels apart from kernels that wait for
// each other. Private to the library; knows nothing of CUDA.
//
// Why: taking or returning GPU or pinned memory, loading a kernel and the default stream make the
// driver wait for kernels that run (cudaFree beside a kernel of one second took one second), and
// hold up launches meanwhile. Between the launches of two ranks whose kernels wait for each other,
// an unrelated thread that returns a buffer would so keep the second from being launched, and the
// first would wait until its deadline.
//
// Who waits for whom:
//
// | | beside a run whose kernels wait | beside a run whose kernels end by themselves |
// |---|---|---|
// | run_turn(kernels_wait) | waits for its end | waits for its end |
// | run_turn(kernels_end) | waits for its end | goes on |
// | driver_pause | waits for its end | goes on |
// | when_clear | is left to the run's end | is done at once |
//
// A run whose kernels wait also waits for the pauses that have begun, and goes before runs and
// pauses that have not, so that a thread that takes memory over and over does not keep it out. Only
// while another run goes on do pauses pass it: that run may wait for one. Threads that belong to a
// run (inside_run) pass everywhere: what a program allocates while its kernels wait for each other
// is its own affair. A thread that a program starts itself does not belong to the run; it must not
// take GPU memory that the program waits for.
#pragma once

#include <cstdint>
#include <stop_token>

namespace gossamer {

enum class gpu_kernels : std::uint8_t { wait_for_each_other, end_by_themselves };

/// A run's turn on the GPUs of this process; what was left by when_clear is done before it passes
/// on. The calling thread belongs to the run meanwhile.
class run_turn {
 public:
  /// Throws cancelled_error when a stop is requested before the turn has come.
  explicit run_turn(gpu_kernels kind, const std::stop_token& stop = {});
  ~run_turn();
  run_turn(const run_turn&) = delete;
  run_turn& operator=(const run_turn&) = delete;

 private:
  gpu_kernels kind_;
  bool nested_;
};

/// Marks the calling thread as one of a run that has its turn.
class inside_run {
 public:
  inside_run() noexcept;
  ~inside_run();
  inside_run(const inside_run&) = delete;
  inside_run& operator=(const inside_run&) = delete;
};

/// No run whose kernels wait for each other begins while one lives. Nests.
class driver_pause {
 public:
  driver_pause();
  ~driver_pause();
  driver_pause(const driver_pause&) = delete;
  driver_pause& operator=(const driver_pause&) = delete;

 private:
  bool nested_;
};

/// Calls give_back(ordinal, what): at once, or when a run whose kernels wait has ended, by its
/// thread. Never waits.
using driver_return = void (*)(int ordinal, void* what) noexcept;
void when_clear(driver_return give_back, int ordinal, void* what) noexcept;

}  // namespace gossamer
