// The kernel for several ranks.
#include "algorithm/bfs/single_kernel/cuda/launch.cuh"

namespace gossamer::bfs_detail::cuda {

GOSSAMER_INSTANTIATE(vertex32, true)
GOSSAMER_INSTANTIATE(vertex64, true)

}  // namespace gossamer::bfs_detail::cuda
