// Engines async and host on GPUs: the same operator, by the worklist of dataflow/worklist/cuda, or
// of algorithm/host_driven, as `options.engine` says. In bfs/cuda, else absent: not_compiled.
#pragma once

#include <memory>

#include "algorithm/bfs/rank_search.hpp"

namespace gossamer::bfs_detail {

/// Throws not_compiled or usage_error for what it does not take: ids of 64 bits (a value is one
/// word), ranks whose vertices are no range.
void check_gpu_async(const placed_graph& g, const bfs_options& options);
std::unique_ptr<rank_search<vertex32>> make_gpu_async(const placed_graph& g, int rank,
                                                      const bfs_options& options);
algorithm_detail::listed_bytes gpu_async_bytes(const planned_rank& p, const bfs_options& options);

}  // namespace gossamer::bfs_detail
