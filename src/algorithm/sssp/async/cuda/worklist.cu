// The kernel of a distributed worklist with the operator of shortest paths.
#include "algorithm/sssp/async/from_source.hpp"
#include "algorithm/sssp/instances.hpp"
#include "gossamer/dataflow/worklist/cuda/kernel.cuh"

namespace gossamer::dataflow::cuda {

using sssp_detail::from_source;
using sssp_detail::shortest_sums;
using sssp_detail::weight_of;

#define GOSSAMER_INSTANTIATE(Distance) \
  template const void*                 \
  list_kernel_of<shortest_sums<Distance>, weight_of<Distance>, from_source<Distance>>(bool);
GOSSAMER_SSSP_DISTANCES(GOSSAMER_INSTANTIATE)
#undef GOSSAMER_INSTANTIATE

}  // namespace gossamer::dataflow::cuda
