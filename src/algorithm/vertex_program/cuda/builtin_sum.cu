// The kernels of programs that push sums, whose expression is built in (builtin.cu).
#include "algorithm/vertex_program/cuda/builtin_code.hpp"
#include "gossamer/dataflow/worklist/cuda/kernel.cuh"

namespace gossamer::dataflow::cuda {

using program_detail::cuda::builtin_sum;
using program_detail::cuda::given_sums;

template const void* list_kernel_of<builtin_sum, no_weight, given_sums>(bool);
template const void* list_kernel_of<builtin_sum, std::uint64_t, given_sums>(bool);

}  // namespace gossamer::dataflow::cuda
