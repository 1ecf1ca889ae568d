// The kernels of a host-driven worklist with the operator of components.
#include "algorithm/components/async/cuda/from_all.hpp"
#include "algorithm/host_driven/cuda/launches.cuh"

namespace gossamer::algorithm_detail::cuda {

using components_detail::smallest_label;
using components_detail::cuda::from_all;

template struct host_list_kernels<smallest_label<vertex32>, no_weight, from_all>;

}  // namespace gossamer::algorithm_detail::cuda
