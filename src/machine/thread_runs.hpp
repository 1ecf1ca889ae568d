// thread_runs: which runs the calling thread belongs to, its own program's and those in which that
// run was begun. Private to the library.
#pragma once

#include <cstdint>

namespace gossamer {

class run_signs;  // run_signs.hpp

/// What a run, or a thread outside of runs, does with GPUs that others of the process must know of;
/// in the order of what it excludes.
enum class gpu_use : std::uint8_t { none, driver_calls, kernels_that_end, kernels_that_wait };

/// A run that goes on, and the one that it was begun in; lives as long as the run.
struct run_in_progress {
  const void* machine = nullptr;  ///< its state; nullptr: no run, a pause (driver_gate.hpp)
  gpu_use use = gpu_use::none;
  const run_in_progress* outer = nullptr;
  const run_signs* signs = nullptr;  ///< of a run of a machine
};

/// The innermost one of the calling thread; nullptr outside of runs.
const run_in_progress* thread_runs() noexcept;
/// The most that any of them does.
gpu_use thread_use() noexcept;

/// The calling thread belongs to a run as long as this lives.
class belongs_to {
 public:
  explicit belongs_to(const run_in_progress& run) noexcept;
  ~belongs_to();
  belongs_to(const belongs_to&) = delete;
  belongs_to& operator=(const belongs_to&) = delete;

 private:
  const run_in_progress* before_;
};

}  // namespace gossamer
