// Duplicates eliminated as before paper A (Mastrostefano and Bernaschi 2013, and paper A's own
// predecessor). Neighbours are gathered into a queue of (vertex, parent), which is sorted by
// vertex; the first of each vertex stays. The queue takes Vector's place, and its length is the
// number of arcs.
//
// For comparison (paper A, Fig. 9): one thread a rank.
#pragma once

#include "algorithm/bfs/vector_queue/cpu/queue_steps.hpp"

namespace gossamer::bfs_detail {

struct neighbour {
  std::int64_t row, parent;
};
/// A queue of all arcs that lead here, and what sorting alternates with.
struct neighbour_arrays {
  shared_array<neighbour> queue, other;

  void list(algorithm_detail::array_list& of, std::int64_t in_arcs) {
    of.add(queue, in_arcs);
    of.add(other, in_arcs);
  }
};

template <class Id>
class cpu_sort_unique final : public cpu_queue_steps<Id> {
 public:
  cpu_sort_unique(const placed_graph& g, int rank, int label_bytes);

  void clear(rank& r) override;
  void gather(rank& r, std::span<const std::int64_t> queue) override;
  void update(rank& r, std::int32_t depth) override;
  step_result convert(rank& r, std::int64_t* queue, std::uint32_t* finds) override;

 private:
  void sort(rank& r);

  neighbour_arrays arrays_;
  std::int64_t used_ = 0;
};

}  // namespace gossamer::bfs_detail
