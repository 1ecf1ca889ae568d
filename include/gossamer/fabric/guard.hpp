// What bounds every wait: the abort record, the ranks' heartbeats, and failure slots that kernels
// write. One board per machine, in (pinned) host memory: host threads and kernels of every device
// poll the same words, each only in the slow path of a wait.
//
// Who writes what: `abort` is claimed by host threads alone (compare-and-swap, first writer wins),
// since kernels have no atomics on host memory that the CPU also uses. A kernel that fails writes
// its own rank's slot with plain stores, `failed` last. The host thread of that rank turns it into
// the abort record when it next looks.
#pragma once

#include <cstdint>

#include "gossamer/base/ids.hpp"

namespace gossamer {

enum class abort_reason : std::uint32_t { none, exception, time_out, cancelled };

/// First failure of a run. `state`: 0 running, 1 claimed, 2 published (fields valid).
struct abort_record {
  std::uint32_t state;
  abort_reason reason;
  std::int32_t rank;     ///< where it began, -1 = the caller (cancellation)
  std::int32_t peer;     ///< whom it waited for, -1 = nobody in particular
  std::uint32_t window;  ///< id of the window or signal set
  std::uint64_t signal;  ///< index of the counter
};

/// One rank's line of the board; 128 bytes, so that polling one disturbs no other.
struct alignas(128) rank_board {
  std::uint64_t heartbeat;  ///< grows with every fabric call of the rank; written by it alone
  std::uint32_t failed;     ///< 1: a kernel of this rank gave up, fields below are valid
  std::int32_t peer;
  std::uint32_t window;
  std::uint64_t signal, wanted, seen;
  std::int32_t waits_for;  ///< whom the rank's thread waits for now: 0 nobody, 1 any, r + 2 rank r
};

/// A number that changes while `self`'s wait for `peer` (-1 = any) may still end: the sum of the
/// heartbeats of the peer, of the rank that the peer waits for, and so on. A rank that waits calls
/// nothing. Without following the chain, a slow last link would look dead to all but its neighbour.
/// Ranks that wait for each other in a circle do stand still. `load` reads a word, relaxed.
template <class Load>
GOSSAMER_HD std::uint64_t chain_of_beats(const rank_board* boards, int ranks, int self, int peer,
                                         Load load) {
  std::uint64_t sum = 0;
  for (int steps = 0; peer >= 0 && steps < ranks; ++steps) {
    sum += load(boards[peer].heartbeat);
    const std::int32_t next = load(boards[peer].waits_for);
    if (next == 0) return sum;
    peer = next - 2;
  }
  if (peer >= 0) return sum;  // a circle
  for (int r = 0; r < ranks; ++r)
    if (r != self) sum += load(boards[r].heartbeat);
  return sum;
}

/// Trivially copyable handle that kernels take by value.
struct device_guard {
  const abort_record* abort = nullptr;
  rank_board* boards = nullptr;  ///< [ranks]
  std::uint64_t deadline_ns = 0;
  int rank = 0;
  int ranks = 1;
};

}  // namespace gossamer
