// local_carrier: what carriers share whose ranks live in one process.
#include <cstring>

#include "fabric/carrier.hpp"
#include "fabric/run_state.hpp"

namespace gossamer {

void local_carrier::reserve(fabric_resources& resources, int rank, const arena_plan& plan) {
  const auto& d = machine_[rank];
  const auto host = resources.any_cuda ? memory_kind::pinned : memory_kind::host;
  auto& mine = resources.ranks[static_cast<std::size_t>(rank)];
  mine.native.reserve(d.is_cuda() ? memory_kind::device : host, d.is_cuda() ? d.ordinal : -1,
                      plan.native);
  mine.host.reserve(host, -1, plan.host);
}

std::byte* local_carrier::address(fabric_resources& resources, int, int peer, home where,
                                  std::size_t offset) {
  return resources.ranks[static_cast<std::size_t>(peer)].block(where).data() + offset;
}

void check_exchanged(int self, int peer, std::size_t mine, std::size_t theirs) {
  if (mine == theirs) return;
  throw rank_error("ranks " + std::to_string(self) + " and " + std::to_string(peer) + " exchange " +
                       std::to_string(mine) + " and " + std::to_string(theirs) +
                       " bytes: collective calls out of step",
                   self, peer, false);
}

void local_carrier::exchange(rank::state& of, std::span<const std::byte> mine,
                             std::span<std::byte> all) {
  auto& slots = of.run.slots;
  auto& own = slots[static_cast<std::size_t>(of.id)];
  const auto turn = ++of.exchanges;
  // Nobody's copy may change before everyone has read it. Waited for here, before the next change,
  // and not where a call ends: so a rank that has what it needs leaves, whatever befalls others.
  for (int peer = 0; peer < of.run.ranks; ++peer)
    of.wait_until(
        [&](wait_context&) {
          return std_atomics::load_acquire(slots[static_cast<std::size_t>(peer)].left) + 1 >= turn;
        },
        {"the end of the collective call before", peer});
  own.data.assign(mine.begin(), mine.end());
  std_atomics::store_release(own.arrived, turn);
  of.run.wake_all();
  for (int peer = 0; peer < of.run.ranks; ++peer) {
    const auto& theirs = slots[static_cast<std::size_t>(peer)];
    of.wait_until([&](wait_context&) { return std_atomics::load_acquire(theirs.arrived) >= turn; },
                  {"a collective call (exchange, make_window or make_signals)", peer});
    check_exchanged(of.id, peer, mine.size(), theirs.data.size());
    if (!mine.empty())
      std::memcpy(all.data() + static_cast<std::size_t>(peer) * mine.size(), theirs.data.data(),
                  mine.size());
  }
  std_atomics::store_release(own.left, turn);
  of.run.wake_all();
}

}  // namespace gossamer
