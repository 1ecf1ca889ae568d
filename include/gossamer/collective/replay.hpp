// replay: how long a schedule takes on a modelled system, without payload and without programs.
//
// Every rank goes through its part of the schedule on a virtual clock. Puts become transfers of the
// same network that the fabric `sim` runs on, with the same costs as collective_plan there. No
// memory is moved, so a thousand ranks and any size fit one core.
//
// One epoch is replayed from a common start: credits (waits with lag) are granted, as in the first
// epoch of a plan.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "gossamer/collective/schedule.hpp"
#include "gossamer/machine/system.hpp"

namespace gossamer::model {

/// Where the time of the slowest rank went. The chain of waits and transfers that it ends with is
/// followed back to the start. The parts add up to the total.
struct time_parts {
  double software = 0;    ///< calls and steps of the communication software
  double start = 0;       ///< processors that start transfers, or store (PIO)
  double setup = 0;       ///< engines that are set up, handshakes
  double latency = 0;     ///< wires, and from arrival to being seen
  double moving = 0;      ///< bytes over the slowest part of their way
  double contention = 0;  ///< transfers that met others, or waited for their engine
  double copying = 0;     ///< within a node
  double computing = 0;   ///< reductions, launches included
  time_parts& operator+=(const time_parts& more) noexcept;
  [[nodiscard]] double total() const noexcept;
  /// Name of the largest part: "moving", "latency", …
  [[nodiscard]] std::string largest() const;
};

struct replay_result {
  double seconds = 0;            ///< until the last rank has finished
  std::vector<double> finished;  ///< by rank
  int slowest = 0;
  time_parts parts;
  std::size_t transfers = 0, bytes = 0;
};

/// `native`: the memory of input, output and scratch (scratch of host_scratch algorithms is the
/// host's). Throws usage_error when the schedule deadlocks, naming a rank and what it waits for.
replay_result replay(const schedule& what, std::shared_ptr<const system> on, memory native);

/// How many transfers of one step go over the same link at most, minus one, per round of the
/// schedule: 0 = no conflict.
std::vector<int> conflicts(const schedule& what, const std::shared_ptr<const system>& on);

/// A mapping (collective_request::mapping) for `request` by `algorithm` whose rounds take the least
/// time by their busiest link and their longest route. Up to 6 ranks all permutations are tried.
/// Beyond, simulated annealing goes six times from the identity, seeded, and the best seen is
/// taken. The root keeps its rank.
std::vector<int> search_mapping(collective_request request, const std::string& algorithm,
                                const std::shared_ptr<const system>& on, unsigned seed = 1,
                                int steps = 20000);

/// The same, kept: searched once for each operation, algorithm, number of ranks, root and system.
/// Messages up to 64 bytes, where hops decide, and longer ones, where conflicts do, have a search
/// each. Thread-safe.
std::vector<int> searched_mapping(const collective_request& request, const std::string& algorithm,
                                  const std::shared_ptr<const system>& on);

}  // namespace gossamer::model
