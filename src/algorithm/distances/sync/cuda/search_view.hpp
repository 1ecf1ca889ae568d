// What the kernel of 64 searches is given, and what its blocks tell each other.
#pragma once

#include <cstdint>

#include "algorithm/cuda/device_rows.hpp"
#include "algorithm/distances/sync/lane_total.hpp"
#include "gossamer/base/ids.hpp"
#include "gossamer/fabric/guard.hpp"

namespace gossamer::distances_detail::cuda {

using algorithm_detail::cuda::device_rows;

/// A bit a search.
using lane_word = unsigned long long;
/// Words a vertex for digits of its depths. Where eight digits do not suffice, a word has those of
/// half or a quarter as many searches, and twice or four times as many digits.
inline constexpr int depth_words = 8;

/// What a block takes at once. Tests have small ones.
struct gpu_sizes {
  static constexpr unsigned threads = 1024;  ///< of a block
  /// Arcs that a thread follows before it waits for memory.
  static constexpr unsigned at_once = 4;
  /// Arcs of a row that lie in one place of a list; hubs lie in many.
  static constexpr unsigned part_arcs = 512;
  /// Arcs of a pulled row that eight lanes look at, before the rest is left to all blocks.
  static constexpr unsigned looked_arcs = 256;
  /// Where the frontier has more arcs than this, one look less at each is worth a meeting.
  static constexpr unsigned long long arcs_worth_settling = 1U << 20;
  /// Levels list whom they meet up to so many arcs of the frontier, or where the graph has so many
  /// more vertices. Else the next level looks through all vertices.
  static constexpr unsigned long long arcs_listed = 1U << 16, vertices_of_arc_listed = 8;
  /// Searches are pulled when a frontier has about a 16th of all arcs: those whose frontier has a
  /// 1024th. Looks for a smaller one would be in vain mostly.
  static constexpr unsigned large_part = 16, pulled_part = 1024;
};

/// Up to part_arcs of a vertex's row.
template <class Id>
struct alignas(16) row_part {
  edge_offset begin;
  Id vertex;
  std::uint32_t arcs;
};

/// What all blocks find on a level.
struct search_sums {
  unsigned long long met[lanes_at_most];  ///< vertices, of each search
  unsigned long long listed;              ///< parts of rows
  unsigned long long vertices, arcs;      ///< that are met, and about how many theirs are
  std::uint32_t pause;                    ///< the launch has lasted long
};

/// Between two launches, and the same in all blocks.
struct search_state {
  lane_word active, pulled;     ///< searches that go on; those whose next level is pulled
  unsigned long long parts[3];  ///< in lists, by turn
  unsigned long long arcs;      ///< of the frontier, where it is listed
  std::int64_t batch;
  std::int32_t depth;      ///< of the frontier
  std::uint32_t turn;      ///< of the frontier
  std::uint32_t complete;  ///< a bit a turn: the list has whoever has bits
  std::uint32_t meetings;
  std::uint32_t too_deep;
};

template <class Id>
struct search_view {
  device_rows<Id> along, against;  ///< the same of a symmetric graph
  std::int64_t vertices, arcs;
  const std::int64_t* sources;
  std::int64_t count;        ///< of them
  int lanes;                 ///< that a batch takes together
  int width;                 ///< bytes of a depth: 64 / width searches have room in `planes`
  std::int32_t deepest;      ///< depth that is wanted; a search that goes deeper ends the launch
  lane_word* met;            ///< [n]
  lane_word* words[3];       ///< [n] by turn: the frontier, who is met now, who was before
  row_part<Id>* parts[3];    ///< [n + arcs / part_arcs] by turn, of the same
  lane_word* planes;         ///< [depth_words][n] digits of depths; null: they are not wanted
  lane_total* totals;        ///< [count]
  search_sums* sums;         ///< [3] zero
  search_state* state;       ///< zero
  std::uint32_t* arrived;    ///< [2] dataflow/worklist/cuda/meeting.cuh
  unsigned long long pause;  ///< nanoseconds after which a launch ends with a level
  device_guard guard;

  [[nodiscard]] GOSSAMER_HD std::int64_t batches() const { return (count + lanes - 1) / lanes; }
};

}  // namespace gossamer::distances_detail::cuda
