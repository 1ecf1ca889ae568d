// The kernel for one rank.
#include "algorithm/bfs/single_kernel/cuda/launch.cuh"

namespace gossamer::bfs_detail::cuda {

GOSSAMER_INSTANTIATE(vertex32, false)
GOSSAMER_INSTANTIATE(vertex64, false)

}  // namespace gossamer::bfs_detail::cuda
