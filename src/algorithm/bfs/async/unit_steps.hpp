// The operator of breadth-first search without levels, on CPUs and GPUs.
#pragma once

#include <cstdint>
#include <limits>
#include <utility>

#include "gossamer/base/ids.hpp"

namespace gossamer::bfs_detail {

/// A vertex's depth and the parent that gave it; a smaller depth replaces both.
template <class Id>
struct unit_steps {
  struct value {
    Id parent;  ///< placed id
    std::int32_t depth;
  };
  static constexpr value unreached = {-1, std::numeric_limits<std::int32_t>::max()};
  /// As one word of eight bytes, whose upper half is the depth. Any parent at one depth would do; a
  /// smaller one counts as a change there, and costs a look at the row.
  static constexpr bool smaller_word_wins = true;

  GOSSAMER_HD static bool update(value& at, const value& incoming) {
    if (incoming.depth >= at.depth) return false;
    at = incoming;
    return true;
  }
  template <class Arc>
  GOSSAMER_HD static value propagate(const value& from, const Arc& along) {
    return {static_cast<Id>(along.from), from.depth + 1};
  }
  GOSSAMER_HD static double priority(const value& at) { return at.depth; }
  GOSSAMER_HD static std::pair<Id, value> sender(const value& incoming) {
    return {incoming.parent, {-1, incoming.depth - 1}};
  }
};

}  // namespace gossamer::bfs_detail
