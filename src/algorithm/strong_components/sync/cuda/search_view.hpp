// What the kernel that finds strong components is given, and what its blocks tell each other.
#pragma once

#include <cstdint>

#include "algorithm/cuda/device_rows.hpp"
#include "gossamer/base/ids.hpp"
#include "gossamer/fabric/guard.hpp"

namespace gossamer::strong_components_detail::cuda {

using algorithm_detail::cuda::device_rows;

/// What a block takes at once. Tests have small ones.
struct gpu_sizes {
  static constexpr unsigned threads = 1024;  ///< of a block
};

/// Of a vertex: whether the pivot reaches it, and is reached by it. `done`: it has its label.
constexpr std::uint8_t done_part = 3;

/// What all blocks find in a step.
struct step_sums {
  unsigned long long found[2];  ///< vertices of lists
  unsigned long long largest;   ///< component
  unsigned long long first;     ///< the smallest vertex that is looked for
};

/// What the host hears.
struct search_outcome {
  unsigned long long left;     ///< vertices without a label, in the list `which`
  unsigned long long trimmed;  ///< components of one vertex that trimming found
  unsigned long long count, largest, largest_label;
  unsigned which;
  unsigned levels;  ///< steps of searches and colours
};

template <class Id>
struct search_view {
  device_rows<Id> rows[2];  ///< along arcs and against them; the same of a symmetric graph
  std::int64_t vertices;
  bool symmetric;
  unsigned most_levels;   ///< after which the host goes on
  std::uint32_t* met[2];  ///< a bit a vertex
  Id* queue[2][2];        ///< [n] by direction and turn
  Id* left[2];            ///< [n] by turn: who has no label
  std::uint8_t* parts;
  Id* color;             ///< the smallest vertex of its part that leads to it
  std::uint32_t* stamp;  ///< [n] zero: the step in which a vertex entered a queue
  Id* labels;
  std::uint32_t* sizes;  ///< [n] zero: of components, by label
  step_sums* sums;       ///< [3]
  search_outcome* outcome;
  std::uint32_t* arrived;  ///< [2] dataflow/worklist/cuda/meeting.cuh
  device_guard guard;
};

}  // namespace gossamer::strong_components_detail::cuda
