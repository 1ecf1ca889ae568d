// Makes channels and carriers: the transport that a pair of ranks has is in the machine's table of
// links.
#include "fabric/registry.hpp"

#include <string_view>

#include "fabric/run_state.hpp"

namespace gossamer {

namespace {

struct entry {
  std::string_view name;
  channel_maker* make;
};

/// A folder each.
constexpr entry transports[] = {{"threads", threads::make},
                                {"peer", peer::make},
                                {"pinned", pinned::make},
                                {"mpi", mpi::make},
                                {"sim", sim::make}};

}  // namespace

std::unique_ptr<carrier> make_carrier(machine& m) {
  if (m[0].process >= 0) return mpi::make_carrier(m);
  if (m.between(0, 0).transport == "sim") return sim::make_carrier(m);
  return threads::make_carrier(m);
}

std::unique_ptr<channel> make_channel(const machine& m, fabric_resources& resources, int from,
                                      int to) {
  const link& pair = m.between(from, to);
  for (const auto& t : transports)
    if (t.name == pair.transport) return t.make(m, resources, from, to);
  throw usage_error("no transport '" + pair.transport + "' (rank " + std::to_string(from) +
                    " to rank " + std::to_string(to) + ")");
}

}  // namespace gossamer
