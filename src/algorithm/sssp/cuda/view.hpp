// What the kernel of shortest paths sees: one launch runs thousands of rounds, so everything that
// changes from round to round lies in device memory or in the blocks' own copies of the state.
//
// Near-far (Davidson, Baxter, Garland and Owens, IPDPS 2014), delta-stepping with two buckets:
// vertices below `limit` wait in the near queue and are relaxed round after round, others in the
// far pile. When near is empty the limit rises by delta and the pile is split: what has become
// nearer than the old limit was settled meanwhile and is dropped, what is below the new one goes to
// the queue, the rest stays.
//
// Bounds. A vertex enters a round's next queue when it sets its mark of that round's parity, which
// nobody clears before the next round takes the vertex out again: at most n entries, each a row of
// the queue or one of the list of long rows behind it, in n slots of eight bytes. It enters the
// far pile when it sets its far mark, which only a split that takes it out clears: at most n.
#pragma once

#include <cstdint>
#include <type_traits>

#include "gossamer/base/ids.hpp"
#include "gossamer/fabric/guard.hpp"

namespace gossamer::sssp_detail::cuda {

inline constexpr int team_threads = 1024;  ///< of a block: one block a multiprocessor
inline constexpr int team_warps = team_threads / 32;
/// Entries of a block's own queue in shared memory, of which there are two.
inline constexpr int own_entries = 1024;
/// A round of at most so many vertices a block is worked off in the blocks' own queues.
inline constexpr int own_share = own_entries / 2;
/// Steps from vertex to vertex that a block goes alone before all meet.
inline constexpr int own_steps = 8;
/// Rounds and splits of one launch at most: the host looks for a request to stop in between.
inline constexpr std::uint32_t launch_rounds = 8192;

/// Distances as unsigned numbers of the same order: their own bits, since none is below zero.
template <class Distance>
using key_of = std::conditional_t<sizeof(Distance) == 8, unsigned long long, std::uint32_t>;

/// Where an arc leads, and its weight's bits: one load.
template <class Distance>
struct alignas(2 * sizeof(Distance)) packed_arc {
  std::int32_t to;
  Distance weight;
};

/// What a round or a split found, added up by atomics between two meetings.
struct round_sums {
  unsigned long long queued;   ///< vertices for the near queue
  unsigned long long longs;    ///< see algorithm/cuda/row_queue.cuh
  unsigned long long arcs;     ///< in their rows
  unsigned long long far;      ///< for the far pile
  unsigned long long nearest;  ///< complement of the smallest key that a split left in the pile
};

enum class step : std::uint32_t { begin, relax, split, finished };

/// Of launches that continue each other. Every block changes its own copy in the same way.
struct search_state {
  step next;
  std::uint32_t meetings;                 ///< so far: they tell each other apart by their number
  std::uint32_t which;                    ///< of the near queues
  std::uint32_t pile;                     ///< of the far piles
  unsigned long long queued, longs, far;  ///< entries of both
  unsigned long long settled, limit;      ///< keys: all below `settled` are final
  unsigned long long rounds;              ///< of relaxing
};

template <class Distance>
struct search_view {
  std::int64_t rows;
  std::int64_t words;  ///< of 32 bits, in marks
  std::int64_t source;
  const edge_offset* offsets;
  const packed_arc<Distance>* arcs;
  key_of<Distance>* keys;       ///< [rows] distances
  std::uint32_t* near_mark[2];  ///< [words] by parity of the queue that they are for
  std::uint32_t* far_mark;      ///< [words]
  std::int32_t* queue[2];       ///< [rows] of eight bytes: see algorithm/cuda/row_queue.cuh
  std::int32_t* pile[2];        ///< [rows]
  bool short_rows;              ///< none is long, one thread walks each
  double delta;
  round_sums* sums;        ///< [3] in turn, zeroed once
  std::uint32_t* arrived;  ///< [2] see algorithm/cuda/meeting.cuh
  search_state* state;
  unsigned long long* looks;  ///< at arcs, over all launches of a run
  device_guard guard;
};

}  // namespace gossamer::sssp_detail::cuda
