// The kernels of programs whose expression is built in: two widths of keys, with weights and
// without.
#include "algorithm/vertex_program/cuda/builtin_code.hpp"
#include "gossamer/dataflow/worklist/cuda/kernel.cuh"

namespace gossamer::dataflow::cuda {

using program_detail::cuda::builtin_operator;
using program_detail::cuda::given_values;

GOSSAMER_PROGRAM_KERNELS(builtin_operator, std::uint32_t)
GOSSAMER_PROGRAM_KERNELS(builtin_operator, std::uint64_t)

}  // namespace gossamer::dataflow::cuda
