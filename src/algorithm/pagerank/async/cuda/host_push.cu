// The kernels of a host-driven worklist with the operator of PageRank: with weights and without.
#include "algorithm/host_driven/cuda/launches.cuh"
#include "algorithm/pagerank/async/cuda/residuals.hpp"

namespace gossamer::algorithm_detail::cuda {

using pagerank_detail::cuda::from_jumps;
using pagerank_detail::cuda::residuals;

template struct host_list_kernels<residuals, no_weight, from_jumps>;
template struct host_list_kernels<residuals, double, from_jumps>;

}  // namespace gossamer::algorithm_detail::cuda
