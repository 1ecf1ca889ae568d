// What searches without levels have in common: options by name, and how long their lists are.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "gossamer/algorithm/vertex_worklist.hpp"
#include "gossamer/machine/machine.hpp"
#include "gossamer/machine/system.hpp"

namespace gossamer::algorithm_detail {

/// For worklists that always have a window: one that no priority is beyond, first in, first out.
inline constexpr double one_window = std::numeric_limits<double>::max() / 4;

/// Whether an algorithm's options ask for the rough order of priorities (dataflow/threshold.hpp).
template <class Asked>
bool is_soft(const Asked& asked) {
  return asked.priority == "soft";
}

/// Whether ranks are GPUs that exist only as a model; described chips are CPUs.
inline bool modelled_gpus(const machine& m) {
  const auto& modelled = m[0].model;
  return modelled != nullptr && modelled->native == model::memory::device && !modelled->chips;
}

/// `delta`: width of the first window of soft priorities. A kernel works on all that waits and its
/// messages go off together, and so it is with a modelled GPU: it is charged a launch for each
/// batch, and a start for each parcel. A million bytes are what paper C calls a packet.
inline worklist_options named_worklist(const machine& m, const std::string& name, double delta) {
  worklist_options options;
  options.name = name;
  options.delta = delta;
  if (modelled_gpus(m)) {
    options.batch = 0;
    options.parcels.bytes = std::int64_t{1} << 20;
  }
  return options;
}

/// The same, with balance and priority by the names in an algorithm's options.
template <class Asked>
worklist_options worklist_of(const machine& m, const std::string& algorithm, double delta,
                             const Asked& asked) {
  worklist_options options = named_worklist(m, algorithm, delta);
  options.steal = asked.balance == "steal";
  options.soft_priority = is_soft(asked);
  return options;
}

/// How many vertices each rank has, by anything with local_size(rank).
template <class Owners>
std::vector<std::int64_t> capacities(const Owners& owners, int ranks) {
  std::vector<std::int64_t> all;
  for (int r = 0; r < ranks; ++r) all.push_back(owners.local_size(r));
  return all;
}

/// The same of ranks that own ranges of ids: `bounds` of a placement.
inline std::vector<std::int64_t> capacities(const std::vector<std::int64_t>& bounds) {
  std::vector<std::int64_t> all;
  for (std::size_t r = 0; r + 1 < bounds.size(); ++r) all.push_back(bounds[r + 1] - bounds[r]);
  return all;
}

}  // namespace gossamer::algorithm_detail
