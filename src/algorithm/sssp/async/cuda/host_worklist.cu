// The kernels of a host-driven worklist with the operator of shortest paths.
#include "algorithm/host_driven/cuda/launches.cuh"
#include "algorithm/sssp/async/from_source.hpp"

namespace gossamer::algorithm_detail::cuda {

using sssp_detail::from_source;
using sssp_detail::shortest_sums;
using sssp_detail::weight_of;

template struct host_list_kernels<shortest_sums<std::uint32_t>, weight_of<std::uint32_t>,
                                  from_source<std::uint32_t>>;
template struct host_list_kernels<shortest_sums<float>, weight_of<float>, from_source<float>>;
template struct host_list_kernels<shortest_sums<double>, weight_of<double>, from_source<double>>;

}  // namespace gossamer::algorithm_detail::cuda
