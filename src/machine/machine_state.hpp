// What a machine holds. Private to the library: layer fabric, which defines machine::run, includes
// it as "machine/machine_state.hpp".
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "gossamer/base/lifetime.hpp"
#include "gossamer/machine/device.hpp"
#include "gossamer/machine/forks.hpp"
#include "gossamer/machine/machine.hpp"
#include "machine/binding.hpp"
#include "machine/rank_threads.hpp"
#include "machine/run_lock.hpp"

namespace gossamer {

struct machine::state final : private fork_listener {
  state(std::string text, std::vector<device> ranks);

  const std::string spec;  ///< as given, "auto" included
  const std::vector<device> devices;
  const std::vector<link> links;  ///< p x p, row = from
  const binding places;           ///< plans nothing for MPI processes: their launcher does
  run_lock runs;                  ///< held for a whole run; guards `lost` and `fabric_cache` too
  std::string lost;               ///< why a device was lost; empty = all usable
  bool left_behind = false;       ///< opened before a fork that its devices do not survive
  lifetime life;                  ///< what is kept for the machine goes before it
  rank_threads threads;           ///< bound to their cores and devices
  /// Arenas and whatever else layer fabric keeps between runs. Declared last, so that it goes
  /// first, while threads and devices are still there.
  std::shared_ptr<void> fabric_cache;

  /// CPU ranks begin anew: with new threads, and new memory if the parent was in a run.
  void in_child() noexcept override;

  [[nodiscard]] int size() const noexcept { return static_cast<int>(devices.size()); }
  [[nodiscard]] const link& between(int from, int to) const noexcept {
    return links[static_cast<std::size_t>(from) * devices.size() + static_cast<std::size_t>(to)];
  }
};

}  // namespace gossamer
