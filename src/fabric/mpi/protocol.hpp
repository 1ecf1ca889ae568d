// What travels between the processes of an mpi machine: one header, then what its kind says.
//
// Every message names the run it belongs to. Messages of an earlier run are dropped (what a rank
// sent before it met a failure), those of a later one wait until this process begins that run.
// Between two processes messages arrive in the order they were sent, which is all the order that
// puts and signals need.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "gossamer/fabric/guard.hpp"
#include "machine/shared_block.hpp"

namespace gossamer::mpi {

using message = std::vector<std::byte>;

enum class kind : std::uint32_t {
  begin,       ///< beginning: the sender's arenas are ready, and where they are
  operations,  ///< any number of operation records, applied in order by the owner of the memory
  reply,       ///< what a get, fetch_add or compare_and_swap brought
  applied,     ///< count: how many messages of operations the receiver's has applied in this run
  exchange,    ///< set-up data
  beat,        ///< beating: the sender's line of the board
  abort,       ///< failing: the first failure as the sender knows it
  end,         ///< failing: the sender's rank has returned
};

struct header {
  std::uint64_t run = 0;
  mpi::kind kind = kind::begin;
  std::uint32_t rung = 0;  ///< 1: counted by the receiver's bell (carrier.cpp)
};

struct beginning {
  shared_block::address board, native, host;
};

/// One operation on the receiver's memory; a put is followed by its bytes, padded to 8, those of a
/// straight one are an MPI message of their own (messenger::send_straight).
struct operation {
  enum class what : std::uint8_t { put, straight, get, raise, add, swap };
  what action = what::put;
  std::uint8_t width = 0;    ///< of the word of an atomic, 4 or 8
  std::uint8_t where = 0;    ///< home of the window
  std::uint8_t set = 0;      ///< raise: set instead of add
  std::uint32_t token = 0;   ///< repeated by the reply
  std::uint64_t offset = 0;  ///< in the receiver's arena
  std::uint64_t a = 0;       ///< bytes of a put or get; operand; value to compare with
  std::uint64_t b = 0;       ///< value to store
};

struct beating {
  std::uint64_t heartbeat = 0;
  std::int64_t waits_for = 0;
};

/// Followed by the text of the failure.
struct failing {
  std::uint32_t failed = 0;
  abort_reason reason = abort_reason::none;
  std::int32_t rank = -1, peer = -1;
  std::uint64_t window = 0, signal = 0;
  std::uint64_t lost = 0;  ///< 1: the sender's process cannot run again (its device is lost)
};

inline std::size_t padded(std::size_t bytes) {
  return (bytes + 7) / 8 * 8;
}

template <class T>
void append(message& to, const T& value) {
  const std::size_t at = to.size();
  to.resize(at + sizeof value);
  std::memcpy(to.data() + at, &value, sizeof value);
}
inline void append_bytes(message& to, const void* data, std::size_t bytes) {
  const std::size_t at = to.size();
  to.resize(at + padded(bytes));
  if (bytes != 0) std::memcpy(to.data() + at, data, bytes);
}
/// Takes a T off the front.
template <class T>
T take(std::span<const std::byte>& from) {
  T value;
  std::memcpy(&value, from.data(), sizeof value);
  from = from.subspan(sizeof value);
  return value;
}

}  // namespace gossamer::mpi
