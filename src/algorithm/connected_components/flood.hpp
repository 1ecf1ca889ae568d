// Engine async: one rank's side, on a CPU (async.cpp) or a GPU.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "algorithm/connected_components/smallest_label.hpp"
#include "gossamer/dataflow/worklist_counters.hpp"
#include "gossamer/fabric/rank.hpp"

namespace gossamer::components_detail {

/// What a rank brings back.
struct flood_outcome {
  worklist_counters work;
  double seconds = 0, exchange = 0, agree = 0;
};

template <class Id>
class label_flood {
 public:
  virtual ~label_flood() = default;
  /// Collective. Fills the own rows of `labels` [vertices]; seconds until they are final, on a GPU
  /// in its memory and by its clock.
  virtual flood_outcome run(rank& r, Id* labels) = 0;
};

/// On GPUs: uploads the rows of rank `self`, which lead both ways, and takes all that runs need,
/// windows apart. In connected_components/cuda, else absent: not_compiled.
template <class Id>
std::unique_ptr<label_flood<Id>> make_gpu_flood(const device& on, const edge_offset* offsets,
                                                const Id* columns,
                                                const std::vector<std::int64_t>& first, int self,
                                                bool short_rows);

/// What that takes of the rank's GPU, in bytes.
struct gpu_flood_bytes {
  std::int64_t rows = 0;     ///< offsets and columns
  std::int64_t work = 0;     ///< labels, lists, marks
  std::int64_t windows = 0;  ///< in the rank's arena: messages
};
gpu_flood_bytes gpu_flood_bytes_of(const std::vector<std::int64_t>& first, int self,
                                   std::int64_t arcs);

}  // namespace gossamer::components_detail
