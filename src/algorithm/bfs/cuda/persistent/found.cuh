// Where wide levels put the vertices they find: a queue, and a list of those with long rows.
#pragma once

#include "algorithm/bfs/cuda/persistent/view.hpp"
#include "algorithm/bfs/cuda/warp.cuh"
#include "algorithm/cuda/row_queue.cuh"

namespace gossamer::bfs_detail::cuda {

using algorithm_detail::cuda::long_count_bit;
using algorithm_detail::cuda::long_entry;
using algorithm_detail::cuda::long_vertex_bits;
using algorithm_detail::cuda::row_chunk;

template <class Id>
using found_frontier = algorithm_detail::cuda::found_rows<search_view<Id>, level_sums>;

}  // namespace gossamer::bfs_detail::cuda
