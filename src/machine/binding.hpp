// Where the threads of ranks go: one range of cores per CPU team, near the GPU for its driver.
//
// Two definitions: src/machine/hwloc, and src/machine/absent where the operating system decides.
// Private to the layer.
#pragma once

#include <memory>
#include <vector>

#include "gossamer/machine/device.hpp"

namespace gossamer {

/// A plan for the threads of one machine's ranks, made once and used by each rank thread.
class binding {
 public:
  /// Plans nothing, so that every thread goes anywhere, unless all of this holds:
  /// - GOSSAMER_BIND is not off.
  /// - OpenMP was not told to bind (OMP_PROC_BIND, OMP_PLACES, GOMP_CPU_AFFINITY).
  /// - All threads together fit on the cores and take more than half of them. Below that, two
  ///   machines side by side would be bound to the same cores while others idle.
  /// - No cgroup quota is smaller than the affinity mask. Else the cores are shared with strangers.
  explicit binding(const std::vector<device>& ranks);
  ~binding();
  binding(const binding&) = delete;
  binding& operator=(const binding&) = delete;

  /// Whether rank threads will be bound.
  [[nodiscard]] bool active() const noexcept { return plan_ != nullptr; }
  /// Binds the calling thread to the cores of `rank`. OpenMP threads that it starts inherit the
  /// mask, which is why a team gets a range and not one core. Failure leaves it unbound.
  void apply(int rank) const noexcept;

 private:
  struct plan;
  std::unique_ptr<plan> plan_;
};

}  // namespace gossamer
