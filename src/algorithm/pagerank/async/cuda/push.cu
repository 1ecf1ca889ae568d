// The kernel of a distributed worklist with the operator of PageRank: with weights and without.
#include "algorithm/pagerank/async/cuda/residuals.hpp"
#include "gossamer/dataflow/worklist/cuda/kernel.cuh"

namespace gossamer::dataflow::cuda {

using pagerank_detail::cuda::from_jumps;
using pagerank_detail::cuda::residuals;

template const void* list_kernel_of<residuals, no_weight, from_jumps>(bool);
template const void* list_kernel_of<residuals, double, from_jumps>(bool);

}  // namespace gossamer::dataflow::cuda
