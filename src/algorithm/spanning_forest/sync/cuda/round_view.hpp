// What the kernels of a round are given.
#pragma once

#include <cstdint>

#include "algorithm/spanning_forest/sync/edge_order.hpp"

namespace gossamer::spanning_forest_detail::cuda {

/// What a block takes at once. Tests have small ones.
struct gpu_sizes {
  static constexpr unsigned threads = 256;  ///< of a block
  static constexpr int at_once = 4;         ///< edges of a thread
  /// Vertices that are passed on the way to a component's name.
  static constexpr unsigned most_steps = 64;
};

struct round_counts {
  unsigned long long edges;  ///< written
  unsigned again;            ///< some name is too far away
};

template <class Id, bool Packed>
struct edge_list {
  const edge<Id, Packed>* edges;
  std::int64_t count;
};

/// The last of the edges that are joined first.
struct last_edge {
  unsigned long long key, place;  ///< place: where keys are weights
};

template <class Id>
struct round_view {
  std::int64_t vertices;
  std::int64_t hub;  ///< a vertex whose component will have many edges; -1: none
  Id* parent;        ///< by vertex: another of its component; its own of a component's name
  unsigned long long* lowest;   ///< by component: the smallest key of its edges
  unsigned long long* nearest;  ///< where keys are weights: the smallest arc of these
  unsigned* chosen;             ///< a bit an arc
  round_counts* counts;
};

}  // namespace gossamer::spanning_forest_detail::cuda
