// The kernel of a distributed worklist with the operator of breadth-first search; results.
#include "algorithm/bfs/async/cuda/async.hpp"
#include "algorithm/cuda/launch.cuh"
#include "gossamer/dataflow/worklist/cuda/kernel.cuh"

namespace gossamer {

namespace dataflow::cuda {

using bfs_detail::unit_steps;
using bfs_detail::cuda::from_vertex;

template const void* list_kernel_of<unit_steps<vertex32>, no_weight, from_vertex>(bool);

}  // namespace dataflow::cuda

namespace bfs_detail::cuda {

namespace {

constexpr int settle_threads = 256;

__global__ void settle_kernel(std::int64_t rows, const unit_steps<vertex32>::value* values,
                              const std::int64_t* offsets, vertex32* parents, std::int32_t* depths,
                              unsigned long long* arcs) {
  const std::int64_t row = static_cast<std::int64_t>(blockIdx.x) * settle_threads + threadIdx.x;
  unsigned long long mine = 0;
  if (row < rows) {
    const auto found = values[row];
    const bool reached = found.depth != unit_steps<vertex32>::unreached.depth;
    parents[row] = reached ? found.parent : -1;
    depths[row] = reached ? found.depth : -1;
    if (reached) mine = static_cast<unsigned long long>(offsets[row + 1] - offsets[row]);
  }
  dataflow::cuda::add_of_warp(arcs, mine);
}

}  // namespace

void settle(void* stream, std::int64_t rows, const unit_steps<vertex32>::value* values,
            const std::int64_t* offsets, vertex32* parents, std::int32_t* depths,
            unsigned long long* arcs) {
  settle_kernel<<<algorithm_detail::cuda::blocks_for(rows, settle_threads), settle_threads, 0,
                  static_cast<cudaStream_t>(stream)>>>(rows, values, offsets, parents, depths,
                                                       arcs);
  algorithm_detail::cuda::launched();
}

}  // namespace bfs_detail::cuda
}  // namespace gossamer
