// How algorithms that work on ranges of rows lay a graph over ranks, by the names in their options.
#pragma once

#include "gossamer/algorithm/rank_use.hpp"
#include "gossamer/placement/placed_graph.hpp"

namespace gossamer::algorithm_detail {

/// In one direction, all of it on the ranks. Partition auto makes ranges of as many arcs.
template <class Options>
place_options placement_by_arcs(const Options& o) {
  place_options how;
  how.partition = o.partition == "auto" ? "edges" : o.partition;
  how.part_of = o.part_of;
  how.both_directions = false;
  how.memory = o.memory;
  how.spill = spilling::none;  // whoever plans the whole says what stays on GPUs
  how.stop = o.run.cancel;
  return how;
}

/// A partition is for all ranks, so with one all ranks work.
template <class Options>
rank_use use_of(const Options& o) {
  return o.partition == "auto" ? o.use : rank_use::all;
}

}  // namespace gossamer::algorithm_detail
