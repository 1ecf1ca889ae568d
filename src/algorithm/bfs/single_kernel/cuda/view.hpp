// What the kernel of the engine `single_kernel` sees of its rank: one kernel runs a whole
// traversal, so everything that changes from level to level lies in device memory or in the
// blocks' own control words.
//
// The kernel has three ways to work. *Wide*: all blocks share a level, top-down from a queue or
// bottom-up over bitmaps, and meet once at its end. *Narrow*: the first cluster of blocks runs
// level after level alone, its frontier in shared memory, with the first clusters of the other
// ranks if there are any. The other blocks wait for the next meeting. This is for road networks.
// Their level is a few thousand vertices, and takes as long as its longest chain of dependent
// accesses, however many threads there are. *Thin*: one warp runs levels of a few arcs, on one
// rank, once a search is deep.
//
// Results are not cleared beforehand: the first bottom-up level writes -1 beside what it finds, or
// the last pass does, for what was never reached.
#pragma once

#include <cstdint>

#include "algorithm/bfs/engine.hpp"
#include "gossamer/dataflow/worklist/short_rows.hpp"
#include "gossamer/fabric/guard.hpp"
#include "gossamer/fabric/trace.hpp"

namespace gossamer::bfs_detail::cuda {

inline constexpr int team_threads = 1024;  ///< of a block: one block a multiprocessor
inline constexpr int team_warps = team_threads / 32;
/// Blocks of a cluster in the narrow way, where the device has as many; each takes its part of a
/// level, so that atomics of a few thousand arcs leave by more than one multiprocessor.
inline constexpr int most_cluster_blocks = 16;
/// Entries of a block's frontier in shared memory; there are two.
inline constexpr int narrow_entries = 4096;
/// Graphs with longer rows never go the narrow way, where one lane walks a row.
inline constexpr int narrow_row = dataflow::longest_short_row;
/// A thin level has at most so many vertices, and arcs in their rows. Narrow levels end when
/// `thin_after` of them, one behind the other, had an eighth of these vertices at most.
inline constexpr int thin_vertices = 32, thin_arcs = 64, thin_after = 32;
/// Searches of fewer levels have none: what begins and ends them is two meetings.
inline constexpr int deep_search = 8;
/// A favourite that is the row's one in-neighbour, as it is kept: nobody need look for others. Its
/// own inverse.
template <class Id>
GOSSAMER_HD constexpr Id only_favourite(Id u) {
  return -2 - u;
}
/// Levels that one launch runs at most: the log has as many entries.
inline constexpr int logged_levels = 1 << 16;
/// Levels whose results are written together, while the cluster goes on.
inline constexpr int settle_levels = 64;
/// Whether rows are kept packed, too: where most have so few arcs (packed_row.cuh). Of all ranks.
inline bool packs_rows(std::int64_t arcs, std::int64_t placed, int id_width, int ranks) {
  return id_width == 4 && arcs <= (ranks == 1 ? 6 : 4) * placed;
}

/// What a level found, added up by atomics between two meetings.
struct level_sums {
  unsigned long long queued;  ///< vertices in the next queue, or bits in the next bitmap
  unsigned long long longs;   ///< see gossamer/dataflow/worklist/cuda/row_queue.cuh
  unsigned long long arcs;    ///< in rows of the next frontier; bottom-up does not count them
  unsigned long long levels;  ///< run alone, by the cluster or a warp; or rows put off, as `longs`
  unsigned long long vertices, all_arcs;  ///< of all ranks, once they have met; arcs nearly
};

/// A level as the kernel logged it: the frontier's vertices, twice, plus one if bottom-up; when it
/// ended, by the device's clock.
struct level_entry {
  unsigned long long frontier;
  unsigned long long ended;
};

/// A vertex that a narrow level found, by its row, and its parent's placed id; -1: its results have
/// been written.
struct alignas(8) found_vertex {
  std::int32_t vertex, parent;
};

enum class way : std::uint32_t { thin, narrow, queue, bitmap, finished };

/// Between launches, and at the end.
struct search_state {
  way next;
  std::uint32_t meetings;       ///< so far: meetings tell each other apart by their number
  long long source;             ///< local index; -1: another rank's
  long long level;              ///< of the frontier
  unsigned long long frontier;  ///< vertices in it, all ranks
  unsigned long long last;      ///< in the frontier before
  unsigned long long arcs;      ///< in its rows, all ranks; a queue's only
  unsigned long long unexplored;
  unsigned long long queued, longs;  ///< own part of a queue
  std::uint32_t which;               ///< of the two queues
  std::uint32_t bottom_up;           ///< the frontier is a bitmap
  std::uint32_t filled;              ///< results of all rows have been written
  std::uint32_t traded;              ///< narrow levels so far
  unsigned long long began;          ///< device's clock when the source was entered
  unsigned long long waited;         ///< nanoseconds for the other ranks' kernels to begin
  unsigned long long open_arcs;      ///< last: in rows never reached; valid when finished
};

/// When to turn (Beamer et al., SC'12; see policy.hpp).
struct turning {
  double alpha, beta;
  long long vertices;
  bool may_go_up, must_go_up;
};

template <class Id>
struct search_view {
  std::int64_t rows;
  std::int64_t words;  ///< of 32 bits, in bitmaps over placed ids
  const edge_offset* offsets;
  const Id* columns;
  const edge_offset* in_offsets;
  const Id* in_columns;
  /// [rows] See packed_row.cuh; null where rows are long on average.
  const int4* packed;
  /// [rows] An in-neighbour of high degree, -1: no in-arc; below: see only_favourite.
  const Id* favourite;
  Id* parents;
  std::int32_t* depths;
  std::uint32_t* seen;
  /// Own rows that nobody can reach: what `seen` starts from. With several ranks `seen` tells, of
  /// the others' vertices, which have been posted or were in a frontier.
  const std::uint32_t* closed;
  std::uint32_t* bits[2];
  /// [rows] of 8 bytes each: a queue of 4-byte local vertices from the front, the list of long rows
  /// from the back.
  std::int32_t* queue[2];
  std::int64_t longest;  ///< row, of all ranks
  bool narrow;           ///< narrow levels are allowed
  turning turn;
  level_sums* sums;        ///< [3] in turn, zeroed once
  std::uint32_t* arrived;  ///< [2] blocks that came to meetings, number of the last that was held
  level_entry* log;        ///< [logged_levels]
  std::uint32_t* settled;  ///< [logged_levels] own vertices of narrow levels
  /// [2] Times that a block of the cluster has published its part of the log, all blocks together;
  /// one more than the levels run, once that is known. Zero between narrow times.
  std::uint32_t* progress;
  search_state* state;
  device_guard guard;
  phase_log phases;  ///< empty unless traced; search_phase has the names
};

}  // namespace gossamer::bfs_detail::cuda
