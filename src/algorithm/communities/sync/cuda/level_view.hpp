// What kernels of communities are given, and what blocks of those that move vertices tell each
// other.
#pragma once

#include <cstdint>

#include "algorithm/communities/sync/rounds.hpp"
#include "gossamer/base/ids.hpp"
#include "gossamer/fabric/guard.hpp"

namespace gossamer::communities_detail::cuda {

/// What a block takes at once. Tests have small ones.
struct gpu_sizes {
  static constexpr unsigned threads = 512;  ///< of a block; two are resident on a multiprocessor
  /// Of a block's table of weights to communities, in shared memory.
  static constexpr unsigned table_bytes = 65536;
  static constexpr unsigned arcs_of_thread = 8;  ///< a row that one thread looks at, at most
  static constexpr int at_once = 4;              ///< arcs of a thread that makes a smaller graph
};

/// Places of a block's table: a power of two.
template <class Sizes, class Id, class Sum>
GOSSAMER_HD constexpr unsigned table_places() {
  unsigned places = 1;
  while (2 * places * (sizeof(Id) + sizeof(Sum)) <= Sizes::table_bytes) places *= 2;
  return places;
}
/// Arcs that fill half of it. A longer row is looked at in pieces of so many.
template <class Sizes, class Id, class Sum>
GOSSAMER_HD constexpr unsigned arcs_of_block() {
  return table_places<Sizes, Id, Sum>() / 2;
}
/// Arcs that fill half of a warp's part of it.
template <class Sizes, class Id, class Sum>
GOSSAMER_HD constexpr unsigned arcs_of_warp() {
  return arcs_of_block<Sizes, Id, Sum>() / (Sizes::threads / 32);
}
/// Pieces of all rows of a graph together, at most: a row in pieces is longer than one.
template <class Sizes, class Id, class Sum>
GOSSAMER_HD constexpr std::int64_t most_pieces(std::int64_t arcs) {
  return 2 * arcs / arcs_of_block<Sizes, Id, Sum>();
}

/// Rows by who looks at them.
enum row_kind : unsigned { of_thread, of_warp, of_block, in_pieces, row_kinds };
inline constexpr unsigned lists = row_kinds * static_cast<unsigned>(groups);

template <class Id>
struct row_piece {
  Id v;
  Id number;  ///< among those of the row, which lie behind each other
};

/// A community that a vertex may move to, or a part.
template <class Id, class Sum>
struct choice {
  double gain;
  Id to;
  Sum bond;  ///< weight to it
  Sum own;   ///< weight to the vertex's own community
};

/// Between two meetings of all blocks.
struct meeting_sums {
  unsigned long long moved;  ///< in the round that ends
  unsigned pause;            ///< the launch has lasted long
  unsigned long_rows;        ///< a vertex moves whose row is in pieces
};

/// Zeroed before each launch.
struct meeting_place {
  std::uint32_t arrived[2];  ///< dataflow/worklist/cuda/meeting.cuh
  meeting_sums sums[3];
  unsigned long long counts[2][lists];  ///< of who was drawn; by turns
};

/// What a launch has done.
struct move_state {
  std::int64_t draws, moved;
  int rounds;  ///< of the level
  bool done;   ///< the level is
};

/// A graph, and its vertices' communities.
template <class Id, class Sum>
struct level_view {
  std::int64_t vertices, arcs;
  const edge_offset* offsets;
  const Id* columns;
  const Sum* weights;             ///< null: each arc weighs one
  const std::int64_t* strengths;  ///< by vertex
  double whole, resolution;       ///< whole: all strengths together
  std::uint64_t seed;
  // By vertex, or by community, which has a vertex's number:
  Id* community;
  std::int64_t* total;
  Id* size;
  std::uint8_t* awake;
  Id* target;
  // The same of parts, for leiden:
  Id* part;
  std::int64_t* part_total;
  Id* part_size;
  std::int64_t* outward;
  Sum* bond;
  // Who was drawn, by lists.
  Id* listed;
  row_piece<Id>* pieces;
  choice<Id, Sum>* choices;  ///< of pieces
  unsigned* looked;          ///< [pieces] of a row's first: how many have a choice; 0 before
  // A table for each row in pieces, at twice its offset: all ones, and zeros.
  Id* keys;
  Sum* sums;
};

template <class Id, class Sum>
struct move_view {
  level_view<Id, Sum> level;
  meeting_place* place;
  move_state* state;
  std::int64_t draws;  ///< before
  int rounds;
  unsigned long long pause;  ///< nanoseconds after which a launch ends with a round
  device_guard guard;
};

}  // namespace gossamer::communities_detail::cuda
