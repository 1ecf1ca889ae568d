// Starting and ending MPI, neither of which may wait for ever; and what is of one process's MPI.
// Private to the layer; world.hpp is what others see of it.
#pragma once

#include <mpi.h>

#include <atomic>
#include <memory>
#include <mutex>

#include "machine/mpi/pulses.hpp"

namespace gossamer::mpi {

struct world_state {
  std::mutex calls;
  MPI_Comm communicator = MPI_COMM_NULL;
  std::unique_ptr<pulses>
      signs;  ///< set once, before a machine is open; null: nobody else is there
  std::atomic<bool> lost{false};  ///< a process is, and MPI_Finalize would wait for it
};
/// Never destroyed: rank threads and exit handlers may still look at it.
world_state& world();

/// Unless the program has started MPI; the caller holds `calls`. It is ended when this process
/// exits. Whatever holds up MPI_Init, a process that does not come for one, ends the process at the
/// deadline with one line and exit code 4: MPI_Init cannot be given up.
void start();

}  // namespace gossamer::mpi
