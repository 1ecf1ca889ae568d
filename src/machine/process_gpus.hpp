// Which GPU each process of an MPI job drives. Private to the library.
#pragma once

#include <vector>

#include "gossamer/machine/device.hpp"
#include "machine/processes.hpp"

namespace gossamer::processes {

/// Position of `rank` among the processes of its host, in rank order: 0 for the first.
int local_rank(const job& of, int rank);

/// Counts, for GPUs given by rank, who shares one with whom: the same PCI bus id on one host.
void count_shares(const job& of, std::vector<device>& gpus);

struct gpu_job {
  std::vector<device> devices;  ///< by rank; ordinals are those of the rank's own process
  bool straight = false;        ///< GPU addresses go to MPI, in every process
};
/// The GPU of each process: the one at its local rank, modulo the GPUs that it sees. The first call
/// is collective, as join(). Throws not_compiled, and usage_error in every process when one of them
/// sees no GPU.
const gpu_job& gpus();

}  // namespace gossamer::processes
