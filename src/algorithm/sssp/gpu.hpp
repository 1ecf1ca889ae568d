// Engine sync on a GPU: the whole search in one kernel, rows in the GPU's memory.
//
// Of a machine of several GPUs the first one searches. Parents come from its distances on the host
// (parents.hpp), as on CPU ranks.
#pragma once

#include <cstdint>
#include <memory>

#include "algorithm/sssp/solo.hpp"

namespace gossamer::sssp_detail {

/// A search prepared for one graph on one GPU.
template <class Distance>
class gpu_search {
 public:
  virtual ~gpu_search() = default;
  /// By the rank that has the GPU. Fills `distances` [vertices]; `seconds`: from the source to
  /// finished distances in the GPU's memory, by its clock.
  virtual search_counts run(rank& r, std::int64_t source, Distance* distances, double& seconds) = 0;
};

/// Uploads the rows and takes all that runs need; `longest_row`: of the graph. In sssp/cuda, else
/// absent: not_compiled.
template <class Id, class Distance>
std::unique_ptr<gpu_search<Distance>> make_gpu_search(const device& on,
                                                      const weighted_rows<Id, Distance>& rows,
                                                      std::int64_t longest_row, double delta);

/// What a search takes of the GPU's memory, in bytes.
struct gpu_bytes {
  std::int64_t rows = 0;  ///< offsets, arcs with their weights
  std::int64_t work = 0;  ///< distances, queues, marks
};
gpu_bytes gpu_bytes_of(std::int64_t vertices, std::int64_t arcs, int distance_bytes);

}  // namespace gossamer::sssp_detail
