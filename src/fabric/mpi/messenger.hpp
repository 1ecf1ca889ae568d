// messenger: messages between the processes of one machine, by non-blocking MPI calls alone.
//
// Two-sided MPI with two tags per machine, because it is what every MPI does well without a hand
// from the target's process beyond a poll; one-sided MPI over a network makes no more progress than
// that and has no bounded flush. Not thread-safe: the carrier holds its lock.
#pragma once

#include <mpi.h>

#include <functional>
#include <vector>

#include "fabric/mpi/protocol.hpp"
#include "fabric/ring.hpp"

namespace gossamer::mpi {

class messenger {
 public:
  messenger(int tag, int processes);
  /// Local: buffers that MPI still uses are kept for the rest of the process.
  ~messenger();
  messenger(const messenger&) = delete;
  messenger& operator=(const messenger&) = delete;

  /// An empty buffer, used before if possible: steady traffic allocates nothing.
  message blank();
  void recycle(message&& done);
  /// Starts sending; never waits for the receiver.
  void send(int to, message&& text);
  /// Offers every message that has arrived to `accept`, per source in the order of sending; one
  /// that is not accepted is offered again next time, and those behind it wait.
  void round(const std::function<bool(int, std::span<const std::byte>)>& accept);

  // Payloads that are not copied into a message, from and to any memory that MPI can read: per pair
  // of processes they are received in the order of sending, apart from messages.
  void send_straight(int to, const void* data, std::size_t bytes);
  /// True when none is under way: their memory may be written again.
  [[nodiscard]] bool sent_straight();
  /// Begins to receive the next one of `source`; one at a time.
  void receive_straight(int source, void* to, std::size_t bytes);
  [[nodiscard]] bool received_straight(int source);
  /// Sends not handed over yet: MPI needs further rounds for them.
  [[nodiscard]] bool sending() const noexcept { return !outgoing_.empty(); }
  /// Messages that were begun to be received, or not accepted yet.
  [[nodiscard]] bool receiving() const noexcept { return held_ != 0; }

 private:
  struct transfer {
    message text;
    MPI_Request request = MPI_REQUEST_NULL;
  };
  void receive();

  int tag_;
  std::vector<MPI_Request> straight_;  ///< being sent
  std::vector<MPI_Request> awaited_;   ///< being received, by source
  ring<transfer> outgoing_;
  std::vector<ring<transfer>> incoming_;  ///< by source
  std::size_t held_ = 0;                  ///< in all of incoming_
  std::vector<message> spare_;
};

}  // namespace gossamer::mpi
