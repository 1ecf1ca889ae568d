// The kernel of a distributed worklist with the operator of PageRank: with weights and without.
#include "algorithm/cuda/worklist/kernel.cuh"
#include "algorithm/pagerank/cuda/residuals.hpp"

namespace gossamer::algorithm_detail::cuda {

using pagerank_detail::cuda::from_jumps;
using pagerank_detail::cuda::residuals;

#define GOSSAMER_INSTANTIATE(Weight)                           \
  template void prepare_list<residuals, Weight, from_jumps>(); \
  template void launch_list(void*, int, const list_view<residuals, Weight>&, const from_jumps&);

GOSSAMER_INSTANTIATE(no_weight)
GOSSAMER_INSTANTIATE(double)
#undef GOSSAMER_INSTANTIATE

}  // namespace gossamer::algorithm_detail::cuda
