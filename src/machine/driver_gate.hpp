// driver_gate: keeps what makes the CUDA driver wait for kernels apart from kernels that wait for
// each other. Private to the library; knows nothing of CUDA.
//
// Why: taking or returning GPU or pinned memory, loading a kernel and the default stream make the
// driver wait for kernels that run (cudaFree beside a kernel of one second took one second), and
// hold up launches meanwhile. Between the launches of two ranks whose kernels wait for each other,
// an unrelated thread that returns a buffer would so keep the second from being launched, and the
// first would wait until its deadline.
//
// Who waits for whom, by what it is beside ("waits": for its end):
//
// | | a run whose kernels wait | one across processes | one whose kernels end |
// |---|---|---|---|
// | run_turn of kernels_that_wait | waits | waits | waits |
// | run_turn of kernels_across_processes | waits | goes on | waits |
// | run_turn of kernels_that_end | waits | waits | goes on |
// | driver_pause | waits | waits | goes on |
// | when_clear | is left to the run | is left to the run | is done at once |
//
// Runs across processes cannot be alone: two that begin in one order here and in the other there
// would wait for each other for ever. So they pass, even before a run that waits for the first of
// them. What their programs allocate beside each other is their own affair.
//
// A run of the first two kinds also waits for the pauses that have begun, and goes before runs,
// pauses and returns that have not, so that a thread that takes memory over and over does not keep
// it out. Only while a run whose kernels end goes on do pauses pass it: that run may wait for one.
//
// Threads that belong to a run (thread_runs.hpp) pass, as do those in a pause: what a program
// allocates while its kernels wait for each other is its own affair. Only kernels that wait cannot
// begin inside what has no right to them, a run of one GPU or a pause. A thread that a program
// starts itself does not belong to the run; it must not take GPU memory that the program waits for.
#pragma once

#include <stop_token>

#include "machine/thread_runs.hpp"

namespace gossamer {

/// A run's turn on the GPUs of this process. What was left by when_clear is done before the run and
/// after it, by the first and the last of those across processes.
class run_turn {
 public:
  /// Nothing for gpu_use::none. Throws cancelled_error when a stop is requested before the turn has
  /// come, usage_error for kernels that wait inside a run or pause that has no right to them. Runs
  /// across processes give no stop: the other processes wait for them.
  explicit run_turn(gpu_use use, const std::stop_token& stop = {});
  ~run_turn();
  run_turn(const run_turn&) = delete;
  run_turn& operator=(const run_turn&) = delete;

 private:
  gpu_use taken_ = gpu_use::none;
};

/// No run whose kernels wait, here or across processes, begins while one lives. Nests.
class driver_pause {
 public:
  /// Throws cancelled_error when a stop is requested while such a run goes on.
  explicit driver_pause(const std::stop_token& stop = {});
  ~driver_pause();
  driver_pause(const driver_pause&) = delete;
  driver_pause& operator=(const driver_pause&) = delete;

 private:
  const bool first_;
  const run_in_progress mark_;
  const belongs_to inside_;
};

/// Calls give_back(ordinal, what): at once, or by the thread of a run whose kernels wait. Never
/// waits for such a run.
using driver_return = void (*)(int ordinal, void* what) noexcept;
void when_clear(driver_return give_back, int ordinal, void* what) noexcept;

}  // namespace gossamer
