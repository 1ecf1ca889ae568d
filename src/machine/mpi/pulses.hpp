// pulses: whether the other processes of an MPI job live, whether they work, wait or do something
// else.
//
// Heartbeats of ranks (fabric/guard.hpp) grow with fabric calls: between two runs, and in work that
// makes no calls, there are no heartbeats. So a thread of each process gives signs of life from
// when it has joined the job until MPI ends. It counts in shared memory, and sends a byte to
// processes that do not share any. A process that was killed or stopped gives none. There are ten
// signs a second at most, so that the thread takes no core from a rank that computes.
#pragma once

#include <mpi.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "gossamer/base/wait.hpp"
#include "machine/shared_block.hpp"

namespace gossamer::mpi {

class pulses {
 public:
  /// Where the count is in a process's block.
  static constexpr std::size_t count_at = 128;
  /// `mine`: this process's block; `theirs`, by rank: mapped here, or empty where signs come as
  /// messages, over `messages`, which is this object's alone.
  pulses(int self, shared_block mine, std::vector<shared_block> theirs, MPI_Comm messages);
  pulses(const pulses&) = delete;
  pulses& operator=(const pulses&) = delete;
  /// Makes no MPI calls any more.
  void stop();
  /// See processes::lost.
  [[nodiscard]] std::string lost(int rank, std::chrono::nanoseconds limit) const;

 private:
  struct peer {
    shared_block block;
    std::uint64_t count = 0;              ///< seen in the block
    std::atomic<std::int64_t> heard = 0;  ///< ns of clock_
    MPI_Request sending = MPI_REQUEST_NULL;
  };
  void serve(const std::stop_token& stop);
  void look();
  void exchange(std::int64_t now);

  const int self_;
  const shared_block mine_;
  std::vector<std::unique_ptr<peer>> peers_;
  MPI_Comm messages_;
  bool any_messages_ = false;
  const std::chrono::nanoseconds pace_;
  watchful_clock clock_;  ///< the server's
  /// When this process last looked at the others. Who was stopped itself, or starved, knows nothing
  /// of them, so that silence is counted up to here.
  std::atomic<std::int64_t> looked_ = 0;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::jthread server_;  ///< last, so that it goes first
};

}  // namespace gossamer::mpi
