// Hosts: which ranks of a machine run on which computer, and the cores they have there together.
#pragma once

#include <vector>

namespace gossamer {

class machine;

/// One computer (or container) of a machine.
struct host_share {
  std::vector<int> ranks;  ///< in order
  /// Cores that the processes of these ranks may use, each counted once: processes of a launcher
  /// have the same cores, or each some of its own. A cgroup's quota is a limit, too.
  int cores = 1;
};

/// The hosts of a machine in the order of their lowest ranks: one, unless ranks are MPI processes.
/// None for a modelled machine, whose nodes are not there.
std::vector<host_share> hosts(const machine& m);

}  // namespace gossamer
