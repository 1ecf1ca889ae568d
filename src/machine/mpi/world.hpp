// Gossamer's communicator, and the lock around every MPI call.
//
// MPI is asked for MPI_THREAD_SERIALIZED. FUNNELED would not do: a rank's program runs on a rank
// thread, never on the thread that opened the machine. Two machines may run side by side, and a
// cancellation comes from any thread. MULTIPLE would make MPI lock by itself, call by call, what is
// locked here for a whole round of progress.
//
// Private to the library; only compiled with MPI.
#pragma once

#include <mpi.h>

#include <mutex>

namespace gossamer::mpi {

/// Held around every MPI call.
std::mutex& calls();
/// A duplicate of MPI_COMM_WORLD, so that messages never meet the program's own; returns errors.
/// MPI_COMM_NULL when this process is a job of its own.
MPI_Comm communicator();

}  // namespace gossamer::mpi
