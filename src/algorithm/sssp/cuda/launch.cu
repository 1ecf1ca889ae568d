// Launches of the kernel of shortest paths.
#include "algorithm/sssp/cuda/launch.hpp"

#include "algorithm/cuda/launch.cuh"
#include "algorithm/sssp/cuda/search.cuh"

namespace gossamer::sssp_detail::cuda {

template <class Distance>
void prepare_search() {
  algorithm_detail::cuda::load(&search_kernel<Distance>);
}

template <class Distance>
void launch_search(void* stream, int blocks, const search_view<Distance>& v) {
  search_kernel<Distance>
      <<<static_cast<unsigned>(blocks), team_threads, 0, static_cast<cudaStream_t>(stream)>>>(v);
  algorithm_detail::cuda::launched();
}

#define GOSSAMER_INSTANTIATE(Distance)      \
  template void prepare_search<Distance>(); \
  template void launch_search(void*, int, const search_view<Distance>&);

GOSSAMER_INSTANTIATE(std::uint32_t)
GOSSAMER_INSTANTIATE(float)
GOSSAMER_INSTANTIATE(double)
#undef GOSSAMER_INSTANTIATE

}  // namespace gossamer::sssp_detail::cuda
