// One rank's share of checking a tree that lies in parts: the rules, and how each kind of device
// looks for the first row that breaks one. verify_parts.cpp says what is checked, and when.
#pragma once

#include <cstdint>
#include <limits>

#include "gossamer/base/ids.hpp"
#include "gossamer/fabric/rank.hpp"

namespace gossamer::bfs_detail {

inline constexpr std::int64_t no_fault = std::numeric_limits<std::int64_t>::max();

enum class vertex_fault : std::uint8_t {
  none,
  source_parent,
  source_depth,
  no_such_parent,
  negative_depth,
  no_parent,
  no_depth,
  second_source,
  wrong_level
};

/// A rank's rows, its part of the tree, and the depths of all vertices; for the rank's device.
template <class Id, class Level>
struct part_view {
  static constexpr Level unreached = std::numeric_limits<Level>::max();

  const edge_offset* offsets;
  const Id *columns, *parents;
  const std::int32_t* depths;
  const Level* levels;  ///< of all vertices
  std::int64_t first, rows, vertices, source;

  /// Pass 1: what vertex first + i says of itself.
  [[nodiscard]] GOSSAMER_HD vertex_fault vertex(std::int64_t i) const {
    const std::int64_t v = first + i, u = parents[i];
    const std::int32_t depth = depths[i];
    if (v == source) {
      if (u != v) return vertex_fault::source_parent;
      return depth == 0 ? vertex_fault::none : vertex_fault::source_depth;
    }
    if (u < -1 || u >= vertices) return vertex_fault::no_such_parent;
    if (depth < -1) return vertex_fault::negative_depth;
    if ((u < 0) != (depth < 0)) return u < 0 ? vertex_fault::no_parent : vertex_fault::no_depth;
    if (u < 0) return vertex_fault::none;
    if (depth == 0) return vertex_fault::second_source;
    const Level above = levels[u];
    return above != unreached && above + std::int64_t{1} == depth ? vertex_fault::none
                                                                  : vertex_fault::wrong_level;
  }

  /// Pass 2, of some of a reached row's arcs, `step` apart: no neighbour is unreached or more than
  /// a level deeper. `met` becomes true at the parent.
  [[nodiscard]] GOSSAMER_HD bool arcs_hold(std::int64_t i, edge_offset skip, edge_offset step,
                                           bool& met) const {
    const Level most = static_cast<Level>(levels[first + i] + 1);
    const std::int64_t parent = parents[i];
    bool wrong = false;
    for (edge_offset e = offsets[i] + skip; e < offsets[i + 1]; e += step) {
      const Id u = columns[e];
      wrong |= levels[u] > most;
      met |= u == parent;
    }
    return !wrong;
  }
};

namespace cuda {

/// The parts of it that a GPU does, in the rank's stream; all wait.
template <class Id, class Level>
void narrow_depths(rank& r, const part_view<Id, Level>& part, Level* own);
/// The smallest row that breaks a rule of pass 1 or, with `arcs`, of pass 2.
template <class Id, class Level>
std::int64_t first_fault(rank& r, const part_view<Id, Level>& part, bool arcs);
#define GOSSAMER_VERIFY_PART(Id, Level)                                    \
  template void narrow_depths(rank&, const part_view<Id, Level>&, Level*); \
  template std::int64_t first_fault(rank&, const part_view<Id, Level>&, bool);
/// The explicit instantiations of both.
#define GOSSAMER_VERIFY_PARTS                   \
  GOSSAMER_VERIFY_PART(vertex32, std::uint8_t)  \
  GOSSAMER_VERIFY_PART(vertex32, std::uint32_t) \
  GOSSAMER_VERIFY_PART(vertex64, std::uint8_t) GOSSAMER_VERIFY_PART(vertex64, std::uint32_t)
/// The largest depth, -1 when there is none.
std::int64_t deepest(rank& r, const std::int32_t* depths, std::int64_t rows);
/// The sum of `ends` over reached rows.
std::int64_t ends_of_reached(rank& r, const std::int32_t* depths, const std::int64_t* ends,
                             std::int64_t rows);

}  // namespace cuda

}  // namespace gossamer::bfs_detail
