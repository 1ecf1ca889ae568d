// driver_gate: keeps what makes the CUDA driver wait for kernels apart from kernels that wait for
// each other. Private to the library; knows nothing of CUDA.
//
// Why: some calls make the driver wait for kernels that run, and hold up launches meanwhile. They
// are taking or returning GPU or pinned memory, loading a kernel, and the default stream (cudaFree
// beside a kernel of one second took one second). Take two ranks whose kernels wait for each other.
// An unrelated thread that returns a buffer between their launches would keep the second from being
// launched, and the first would wait until its deadline.
//
// Who waits for whom, by what it is beside:
//
// | | a run whose kernels wait | one whose kernels end |
// |---|---|---|
// | run_turn of kernels_that_wait | waits for its end | waits for its end |
// | run_turn of kernels_that_end | waits for its end | goes on |
// | driver_pause | waits for its end | goes on |
// | when_clear | is left to the run | is done at once |
//
// Runs over several processes are of the second kind, whatever their ranks: their kernels never
// wait for those of another process (rank::guard refuses).
//
// In which order, where several wait:
// - A run whose kernels wait goes before runs, pauses and returns that come after it, so that a
//   thread that takes memory over and over does not keep it out.
// - When it ends, pauses and runs of the second kind that have waited go before the next one of its
//   kind. Among its kind there is no order.
// - While a run of the second kind goes on, that run may wait for others: for a thread's pause, for
//   a run that a thread of its own begins, for one that another process has begun already and that
//   must begin here before anything there goes on. So pauses pass those that wait, and runs do
//   after a second, which doubles each time (`patience`).
//
// What remains: some programs can still wait for each other, as with any lock. They run several
// local GPUs in one thread and GPUs of all processes in another, or begin runs of other machines in
// two orders. What a machine of processes has pinned (pinned_range) is unpinned when it goes, at
// once; its runs pin, and are of the second kind.
//
// Every such wait ends with an error when a run that holds it up makes no progress (run_signs.hpp).
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
/// after it.
class run_turn {
 public:
  /// Nothing for gpu_use::none. `signs`: of the run, as long as it has the turn; null: it is
  /// bounded otherwise. Throws cancelled_error when a stop is requested before the turn has come,
  /// and rank_error (timed out) when the run that has it is stuck. Throws usage_error for kernels
  /// that wait, inside a run or pause that has no right to them.
  explicit run_turn(gpu_use use, const std::stop_token& stop = {},
                    const run_signs* signs = nullptr);
  ~run_turn();
  run_turn(const run_turn&) = delete;
  run_turn& operator=(const run_turn&) = delete;

 private:
  const run_signs* const signs_;
  gpu_use taken_ = gpu_use::none;
};

/// No run whose kernels wait begins while one lives. Nests.
class driver_pause {
 public:
  /// Throws cancelled_error when a stop is requested while such a run goes on, rank_error (timed
  /// out) when that is stuck.
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
