// Engine async: one rank's side, on a CPU (async.cpp) or a GPU.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "gossamer/dataflow/weighted_rows.hpp"
#include "gossamer/dataflow/worklist_counters.hpp"
#include "gossamer/fabric/rank.hpp"

namespace gossamer::pagerank_detail {

/// What a rank brings back.
struct push_outcome {
  worklist_counters work;
  double sum = 0;   ///< of own ranks, before they are scaled
  double left = 0;  ///< residuals known here that were not worth work, in the unit of the ranks
  double seconds = 0, exchange = 0, agree = 0;
};

class residual_push {
 public:
  virtual ~residual_push() = default;
  /// Collective. Fills the own rows of `ranks` [vertices] with the ranks in a unit that is every
  /// rank's; seconds until they are final, on a GPU in its memory and by its clock. `jumps`:
  /// [vertices], or empty.
  virtual push_outcome run(rank& r, std::span<const double> jumps, std::span<double> ranks) = 0;
};

/// What all ranks are given.
struct push_problem {
  double damping;
  double allowed;        ///< what residuals known to one rank may add up to, of 1 in all
  const double* shares;  ///< [vertices] damping over the sum of out-weights
  const std::vector<std::int64_t>& first;  ///< [ranks + 1] row ranges
};

/// On GPUs: uploads the rows of rank `self` and takes all that runs need, windows apart. In
/// pagerank/cuda, else absent: not_compiled.
template <class Id, class Weight>
std::unique_ptr<residual_push> make_gpu_push(const device& on,
                                             const weighted_rows<Id, Weight>& rows,
                                             const push_problem& p, int self);

/// What that takes of the rank's GPU, in bytes.
struct gpu_push_bytes {
  std::int64_t rows = 0;     ///< offsets, columns and weights
  std::int64_t work = 0;     ///< ranks, residuals, lists and marks
  std::int64_t windows = 0;  ///< in the rank's arena: messages
};
/// `arcs`: of the rows of `self`.
gpu_push_bytes gpu_push_bytes_of(const std::vector<std::int64_t>& first, int self,
                                 std::int64_t arcs, bool weighted);

}  // namespace gossamer::pagerank_detail
