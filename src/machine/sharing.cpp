// Whether kernels of ranks that share a GPU run at the same time: asked once per GPU and process.
// And that all are loaded before one waits for another.
#include <map>
#include <mutex>

#include "gossamer/base/configuration.hpp"
#include "gossamer/machine/topology.hpp"
#include "machine/cuda_backend.hpp"
#include "machine/driver_gate.hpp"

namespace gossamer {

sharing shared_kernels(const device& d) {
  // Kernels of different processes are time-sliced on one GPU, and do not see each other's memory.
  if (d.is_cuda() && d.process >= 0) return sharing::in_turn;
  if (!d.is_cuda() || d.share < 2) return sharing::alone;
  if (!configuration::shared_kernels_allowed()) return sharing::in_turn;
  // The most kernels that were seen together, by device. A "no" is not kept: another process or
  // machine may have held the GPU, and the next machine asks again.
  static std::mutex guard;
  static std::map<int, int> together;
  {
    const std::lock_guard lock(guard);
    if (together[d.ordinal] >= d.share) return sharing::together;
  }
  // The kernels that try it wait for each other. The turn comes before the lock: a run that has its
  // own may come here too.
  const run_turn turn(gpu_use::kernels_that_wait);
  const run_in_progress trial{nullptr, gpu_use::kernels_that_wait, thread_runs()};
  const belongs_to inside(trial);
  const std::lock_guard lock(guard);
  int& seen = together[d.ordinal];
  if (seen < d.share && cuda_backend::kernels_run_together(d.ordinal, d.share)) seen = d.share;
  return seen >= d.share ? sharing::together : sharing::in_turn;
}

void load_kernels(const device& d) {
  if (d.is_cuda()) cuda_backend::load_kernels(d.ordinal);
}

}  // namespace gossamer
