// What the kernels of a host-driven worklist see. Rows, values, lists and marks are those of the
// device-driven one (gossamer/dataflow/worklist/cuda/view.hpp), and so are rounds over a queue;
// here a host thread launches each, and streams and events order them:
//
//   main     turn, relax, turn, relax, …; on a new window turn, split, turn, relax
//   taking   take, take, …   high priority; each behind the last turn, before the next
//   packing  pack, pack, …   of what a turn has shown; beside everything
//
// A turn is the only kernel that changes list_state, with nothing but packs beside it. relax and
// take may run at the same time: both find changed vertices, by the same atomics on list_sums.
//
// Bounds. Queue and pile: a vertex is marked once in each. A list for another rank: while an entry
// waits its vertex is marked; the mark is cleared after the entry was read, and between two turns a
// vertex is listed once at most, so that from the oldest entry not read to the newest there are no
// more than twice the vertices that may be in it.
#pragma once

#include "gossamer/dataflow/worklist/cuda/view.hpp"

namespace gossamer::algorithm_detail::cuda {

using namespace dataflow::cuda;  // what both ways of driving a worklist share

/// What crosses ranks.
template <class Value>
struct alignas(8) device_message {
  std::int32_t target;
  Value content;
};

/// What a turn tells the host thread, in host memory that the GPU writes.
struct shown_words {
  std::uint64_t queued, items, repeated;
  double nearest;
  std::uint64_t appended[most_list_ranks];
  std::uint32_t fault;
};

template <class Operator, class Weight>
struct host_list_view : list_view<Operator, Weight> {
  int way[most_list_ranks];  ///< whose list a rank's vertices are put into
  std::uint32_t* fault;      ///< not 0: a message named a vertex that there is not
};

/// How a turn ends.
struct turn_orders {
  bool opens;  ///< a window up to `threshold`: a split follows, and another turn
  double threshold;
};

}  // namespace gossamer::algorithm_detail::cuda
