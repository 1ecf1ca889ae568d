// What searches without levels have in common: options by name, and how long their lists are.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "gossamer/algorithm/vertex_worklist.hpp"

namespace gossamer::algorithm_detail {

/// For worklists that always have a window: one that no priority is beyond, first in, first out.
inline constexpr double one_window = std::numeric_limits<double>::max() / 4;

/// Whether an algorithm's options ask for the rough order of priorities (dataflow/threshold.hpp).
template <class Asked>
bool is_soft(const Asked& asked) {
  return asked.priority == "soft";
}

/// `delta`: width of the first window of soft priorities.
inline worklist_options named_worklist(std::string name, double delta) {
  worklist_options options;
  options.name = std::move(name);
  options.delta = delta;
  return options;
}

/// The same, with balance and priority by the names in an algorithm's options.
template <class Asked>
worklist_options worklist_of(const std::string& algorithm, double delta, const Asked& asked) {
  worklist_options options = named_worklist(algorithm, delta);
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
