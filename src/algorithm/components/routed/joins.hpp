// joins: what engine routed does to a rank's labels of the whole graph, wherever they lie.
//
// A GPU's are queued in the rank's stream: the caller's host goes on handing out edges meanwhile,
// and finish() is where it waits. A segment may be released at once, since links return a buffer
// behind what that stream was given so far.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "algorithm/components/sync/hook.hpp"
#include "gossamer/dataflow/reduction.hpp"
#include "gossamer/fabric/rank.hpp"

namespace gossamer::components_detail {

using dataflow::element_range;

template <class Id>
class label_joins {
 public:
  virtual ~label_joins() = default;
  /// Every vertex of a range its own label.
  virtual void begin(element_range of) = 0;
  virtual void hook(std::span<const edge<Id>> edges) = 0;
  /// Joins vertex first + i with theirs[i], for all i.
  virtual void merge(std::span<const Id> theirs, std::int64_t first) = 0;
  /// Every label of a range := the root.
  virtual void compress(element_range of) = 0;
  /// Returns when all that was asked for is done; throws rank_error as rank::synchronize does.
  virtual void finish() = 0;
};

/// By the rank's threads.
template <class Id>
std::unique_ptr<label_joins<Id>> make_team_joins(rank& r, std::span<Id> labels);
/// By kernels. In components/cuda, else absent: not_compiled.
template <class Id>
std::unique_ptr<label_joins<Id>> make_gpu_joins(rank& r, std::span<Id> labels);

}  // namespace gossamer::components_detail
