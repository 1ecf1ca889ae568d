// The kernel for several ranks.
#include "algorithm/bfs/cuda/persistent/launch.cuh"

namespace gossamer::bfs_detail::cuda {

GOSSAMER_INSTANTIATE(vertex32, true)
GOSSAMER_INSTANTIATE(vertex64, true)

}  // namespace gossamer::bfs_detail::cuda
