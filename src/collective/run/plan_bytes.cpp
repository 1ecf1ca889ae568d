// What plans take of the arenas, from the schedule alone; bind.cpp and command_binder.cpp take it.
#include <algorithm>

#include "collective/algorithm/registry.hpp"
#include "collective/kernel/packing.hpp"
#include "collective/run/plan_state.hpp"
#include "collective/schedule/slices.hpp"

namespace gossamer {

std::size_t command_bytes(const schedule& s, const rank_schedule& part) {
  if (s.ranks() > most_packed_ranks) return 0;
  const packing packed(s);
  const auto turns = static_cast<std::size_t>(packed.turns());
  // No step moves more than everything.
  const auto& q = s.request();
  const std::size_t most =
      std::max({q.count, s.input_size(part.rank), s.output_size(part.rank)}) * q.element;
  const bool sliced = blocks_for(most, 1) >= fewest_slices;
  const auto counters = static_cast<std::size_t>(sliced ? part.signals * most_slices : 0);
  // A put and its flag are two.
  const std::size_t steps = turns * 2 * (part.steps.size() + 1);
  return rounded(steps * sizeof(command)) +
         rounded(turns * packed.words(part.rank) * sizeof(std::uint64_t)) +
         rounded(steps * sizeof(std::uint32_t)) + rounded(counters * sizeof(std::uint64_t)) +
         6 * plan_alignment;
}

namespace {

arena_plan bytes_of(const schedule& s, int rank) {
  const auto part = s.of(rank);
  const std::size_t element = s.request().element;
  const std::size_t scratch = 2 * rounded(part.scratch * element) + plan_alignment;
  const auto counters = static_cast<std::size_t>(std::max(part.signals, 1));
  const std::size_t taken = scratch + rounded(counters * sizeof(std::uint64_t)) + plan_alignment;
  if (!s.host_scratch()) return {taken + command_bytes(s, part), 0};
  return {0, taken + rounded(s.input_size(rank) * element) +
                 rounded(s.output_size(rank) * element) + 2 * plan_alignment};
}

}  // namespace

arena_plan bytes_needed(const schedule& s, int rank) {
  const auto name = s.algorithm().name;
  if (algorithm_code(find_algorithm(s.request().op, name)) == nullptr) return {0, 0};
  arena_plan most = bytes_of(s, rank);
  // As one kernel, short transfers are staged even where peers could write straight.
  for (const std::size_t hop : {std::size_t{0}, longest_hop}) {
    auto q = s.request();
    q.longest_hop = hop;
    if (!all_packed(q, name)) continue;
    q.direct = false;
    const arena_plan staged = bytes_of(schedule(std::move(q), name), rank);
    most = {std::max(most.native, staged.native), std::max(most.host, staged.host)};
  }
  return most;
}

}  // namespace gossamer
