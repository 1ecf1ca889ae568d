// What the kernels of a host-driven worklist see. Rows, values, lists and marks are those of the
// device-driven one (gossamer/dataflow/worklist/cuda/view.hpp), and so are rounds over a queue;
// here a host thread launches each, and streams and events order them:
//
//   main     turn, relax, turn, relax, …; on a new window turn, split, turn, relax; of sums, long
//            rows are taken before relax
//   taking   take, take, …   high priority; each behind the last turn, before the next
//   packing  pack, pack, …   of what a turn has shown; beside everything
//
// A turn is the only kernel that changes list_state, with nothing but packs beside it. relax and
// take may run at the same time: both find changed vertices, by the same atomics on list_sums.
//
// Sums (gossamer/dataflow/worklist/cuda/sums.cuh). Its argument holds with a turn for its meeting:
// every addition lies between two turns, and nothing beside a split. A take adds what a message
// brings, and lists by the level as any adder does; so the queue that it adds to is emptied behind
// the next turn. A pack is the sender of that argument: it clears the mark, fences, and takes.
//
// What is in flight is in no sum. A pack's exchange took it, and one take adds it, once, to the sum
// of the rank that it reached. On the ring that may be a rank between, which adds it to its own sum
// for that vertex. It is not passed on as it came: it joins what that rank owes the owner, and what
// makes the sum worth sending lists the vertex. If it is listed already, what waits goes with it.
// So each part is at every moment in one sum or in one message. Ranks' sums and messages for a
// vertex add up to what was ever added less what its owner took. What is never worth sending stays
// where it is, whatever the route. It is less than the least worth work, once on each rank, which
// bounds what is left (add_up) as if it had been sent straight.
//
// Grants. Items that a turn leaves out stay where they are in the queue until they are packed, and
// no turn comes before that. Packing is their turn: it clears the mark and reads the value, or
// takes the sum. So a vertex that changes later is in the next queue. The rank that gets them walks
// the rows of their owner. What it finds it puts where what its own rows lead to is put.
//
// Bounds. Queue and pile: a vertex is marked once in each. A list for another rank: while an entry
// waits, its vertex is marked, and the mark is cleared after the entry was read. Between two turns
// a vertex is listed once at most. So from the oldest entry not read to the newest there are no
// more than twice the vertices that may be in it.
#pragma once

#include "algorithm/host_driven/message.hpp"
#include "gossamer/dataflow/worklist/cuda/view.hpp"

namespace gossamer::algorithm_detail::cuda {

using namespace dataflow::cuda;  // what both ways of driving a worklist share

/// What a turn tells the host thread, in host memory that the GPU writes.
struct shown_words {
  std::uint64_t queued, granted, items, repeated;
  double nearest;
  std::uint64_t appended[most_list_ranks];
  std::uint32_t fault;
};

template <class Operator, class Weight>
struct host_list_view : list_view<Operator, Weight> {
  int way[most_list_ranks];  ///< whose list a rank's vertices are put into
  std::uint32_t* fault;      ///< not 0: a message named a vertex that there is not
  /// Ranks that steal: the rows of each, where they lie.
  const edge_offset* offsets_of[most_list_ranks];
  const device_arc<Weight>* arcs_of[most_list_ranks];
};

/// How a turn ends.
struct turn_orders {
  bool opens;  ///< a window up to `threshold`: a split follows, and another turn
  double threshold;
  /// Not 0: the second half of a queue that holds twice as many is left out, to be granted. Long
  /// rows stay.
  std::uint64_t least_grant;
};

}  // namespace gossamer::algorithm_detail::cuda
