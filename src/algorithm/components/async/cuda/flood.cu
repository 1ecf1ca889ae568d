// The kernel of a distributed worklist with the operator of components.
#include "algorithm/components/async/cuda/from_all.hpp"
#include "gossamer/dataflow/worklist/cuda/kernel.cuh"

namespace gossamer::dataflow::cuda {

using components_detail::smallest_label;
using components_detail::cuda::from_all;

template const void* list_kernel_of<smallest_label<vertex32>, no_weight, from_all>(bool);

}  // namespace gossamer::dataflow::cuda
