// The processes of an MPI job: who they are, who shares memory with whom. One list of functions
// with two definitions, src/machine/mpi and src/machine/absent (not_compiled).
//
// Private to the library, and free of mpi.h: no caller needs to know which of the two it is linked
// with.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace gossamer::processes {

/// What every process knows of each one.
struct member {
  std::string processor;    ///< CPU model
  int threads = 1;          ///< cores it may use, divided by the processes with the same cores
  std::int64_t memory = 0;  ///< bytes: its host's limit, divided by the processes of that host
  int host = 0;             ///< the lowest rank that can map memory of this one
  int group = 0;            ///< the same, or its own rank when GOSSAMER_MPI_SHARED=off
  int host_cores = 1;       ///< cores that the processes of its host may use together
};

struct job {
  int rank = 0;
  std::vector<member> members;  ///< by rank
  [[nodiscard]] int size() const noexcept { return static_cast<int>(members.size()); }
};

/// Whether the build holds the MPI definitions.
bool compiled() noexcept;
/// Whether this process was started by an MPI launcher, by the launchers' environment variables.
bool launched() noexcept;
/// The job this process belongs to. The first call is collective: it starts MPI (unless the program
/// has), and ends it when the process exits. Without a launcher and with MPI not started by the
/// program it is a job of one process, and MPI is left alone. Throws not_compiled, foreign_error,
/// and rank_error when a process does not join within the deadline.
const job& join();
/// Every process's `mine` in rank order; all give as many bytes. Collective over join()'s job, with
/// the same errors.
std::vector<std::byte> gather(std::span<const std::byte> mine);
/// Whether the MPI library says that it takes addresses of GPU memory (Open MPI's
/// MPIX_Query_cuda_support); after join().
bool takes_gpu_memory();
/// Why the process of `rank` counts as lost, to stand behind "its process": it has ended, which is
/// seen at once of processes that share memory, or it has given no sign of life for `limit`, killed
/// or stopped. Empty: it lives, whatever it does.
std::string lost(int rank, std::chrono::nanoseconds limit);
/// A process is gone: MPI_Finalize would wait for it and is left out when this process exits.
void lost_one() noexcept;

}  // namespace gossamer::processes
