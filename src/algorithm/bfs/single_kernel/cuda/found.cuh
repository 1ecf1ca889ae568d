// Where wide levels put the vertices they find: a queue, and a list of those with long rows.
#pragma once

#include "algorithm/bfs/cuda/warp.cuh"
#include "algorithm/bfs/single_kernel/cuda/view.hpp"
#include "gossamer/dataflow/worklist/cuda/row_queue.cuh"

namespace gossamer::bfs_detail::cuda {

using dataflow::cuda::long_count_bit;
using dataflow::cuda::long_entry;
using dataflow::cuda::long_vertex_bits;
using dataflow::cuda::row_chunk;

template <class Id>
using found_frontier = dataflow::cuda::found_rows<search_view<Id>, level_sums>;

}  // namespace gossamer::bfs_detail::cuda
