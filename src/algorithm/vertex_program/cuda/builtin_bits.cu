// The kernels of programs that gather bits, whose expression is built in (builtin.cu).
#include "algorithm/vertex_program/cuda/builtin_code.hpp"
#include "gossamer/dataflow/worklist/cuda/kernel.cuh"

namespace gossamer::dataflow::cuda {

using program_detail::cuda::builtin_bits;
using program_detail::cuda::given_values;

GOSSAMER_PROGRAM_KERNELS(builtin_bits, std::uint32_t)
GOSSAMER_PROGRAM_KERNELS(builtin_bits, std::uint64_t)

}  // namespace gossamer::dataflow::cuda
