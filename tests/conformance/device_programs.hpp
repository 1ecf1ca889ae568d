// Kernels that use windows, signals and collectives themselves, behind plain C++ functions: the
// tests are compiled by the host compiler. Each function is collective and queues one kernel in
// r.stream(); grids are tiny, since all ranks' kernels must run at the same time.
#pragma once

#include <cstdint>

#include "gossamer/fabric/rank.hpp"

namespace gossamer::conformance {

/// What a kernel found, in host memory.
struct device_findings {
  std::uint32_t wrong;    ///< values that differ from what they must be
  std::uint32_t checked;  ///< values compared
  std::uint32_t gave_up;  ///< 1: a wait returned false
};

/// Every rank puts n words to every peer and signals, waits, checks and acknowledges. The window
/// holds size() * n words, the sets size() counters.
void queue_put_rounds(rank& r, const window<std::uint64_t>& w, const signal_set& arrived,
                      const signal_set& read, int n, int rounds, device_findings* found);
/// Every rank writes its n words, meets the others, gets theirs, checks, meets them again. The set
/// holds size() counters.
void queue_gets(rank& r, const window<std::uint64_t>& w, const signal_set& met, int n, int rounds,
                device_findings* found);
/// 32 threads of every rank count `times` in every rank's elements 0 (by additions) and 1 (by
/// swaps). T: 32 or 64 bits, unsigned.
template <class T>
void queue_counts(rank& r, const window<T>& w, int times, device_findings* found);
/// Every rank adds 1 … times to counter 0 of every peer, from several threads.
void queue_adds(rank& r, const signal_set& flags, int times);
/// One element travels round the ring, each rank adding 1.
void queue_ring(rank& r, const window<std::uint64_t>& w, const signal_set& flags, int laps,
                device_findings* found);
/// Allreduce by every reduction and allgather, `epochs` times, in `launches` kernels. The plans'
/// count of calls begins at `first_epoch`.
void queue_scalars(rank& r, int epochs, int launches, device_findings* found,
                   std::uint32_t first_epoch = 0);
/// Blocks of one kernel meet many times; each must see what all others wrote before.
void queue_grid_barriers(rank& r, int blocks, int rounds, device_findings* found);

/// A kernel that waits for counter `index` to reach `value`; `from` as in device_signals::wait.
void queue_wait(rank& r, const signal_set& flags, std::size_t index, std::uint64_t value, int from,
                device_findings* found);
/// Only this rank joins an allreduce in a kernel. Collective: `joins` says who does.
void queue_lonely_allreduce(rank& r, bool joins, device_findings* found);
/// One block of a grid leaves before the barrier.
void queue_incomplete_grid_barrier(rank& r, device_findings* found);

}  // namespace gossamer::conformance
