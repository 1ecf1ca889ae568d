// The kernels of a host-driven worklist with the operator of breadth-first search.
#include "algorithm/bfs/async/cuda/async.hpp"
#include "algorithm/host_driven/cuda/launches.cuh"

namespace gossamer::algorithm_detail::cuda {

using bfs_detail::unit_steps;
using bfs_detail::cuda::from_vertex;

template struct host_list_kernels<unit_steps<vertex32>, no_weight, from_vertex>;

}  // namespace gossamer::algorithm_detail::cuda
