// message_channel: operations on a peer's memory as records in messages to its owner, from and to
// host memory of this process.
//
// A put waits in a batch for the signal that usually follows, so that both travel in one message;
// it goes out with the next fabric call that is no put. Sources are copied: they may be reused at
// once.
#pragma once

#include "fabric/channel.hpp"
#include "fabric/mpi/carrier.hpp"

namespace gossamer::mpi {

class message_channel final : public channel {
 public:
  message_channel(process_carrier& carrier, fabric_resources::per_rank& mine, int to)
      : carrier_(carrier), mine_(mine), to_(to) {}

  void put(const remote& to, const void* from, std::size_t bytes, const stream&) override;
  void get(void* to, const remote& from, std::size_t bytes, const stream&) override;
  void raise(const remote& counter, std::uint64_t value, signal_op op, const stream&) override;
  std::uint64_t atomic(const remote& word, int width, bool add, std::uint64_t a,
                       std::uint64_t b) override;
  bool complete() override;
  /// A put whose bytes MPI takes from where they are and brings to where they belong, on GPUs, too;
  /// returns when the source may be written again.
  void put_straight(const remote& to, const void* from, std::size_t bytes);

 private:
  void make_room();
  void ask(operation& o, void* into, std::size_t bytes, const char* what);

  process_carrier& carrier_;
  fabric_resources::per_rank& mine_;
  int to_;
};

/// For GPUs of processes.
std::unique_ptr<channel> make_staged(process_carrier& carrier, fabric_resources& resources,
                                     const machine& m, int from, int to);

}  // namespace gossamer::mpi
