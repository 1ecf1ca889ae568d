// The kernel of a distributed worklist with the operator of components.
#include "algorithm/connected_components/cuda/from_all.hpp"
#include "algorithm/cuda/worklist/kernel.cuh"

namespace gossamer::algorithm_detail::cuda {

using components_detail::smallest_label;
using components_detail::cuda::from_all;

template const void* list_kernel_of<smallest_label<vertex32>, no_weight, from_all>(bool);

}  // namespace gossamer::algorithm_detail::cuda
