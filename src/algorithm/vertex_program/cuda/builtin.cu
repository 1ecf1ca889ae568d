// The kernels of programs whose expression is built in: two widths of keys, with weights and
// without.
#include "algorithm/vertex_program/cuda/builtin_code.hpp"
#include "gossamer/dataflow/worklist/cuda/kernel.cuh"

namespace gossamer::dataflow::cuda {

using program_detail::cuda::builtin_operator;
using program_detail::cuda::given_values;

#define GOSSAMER_INSTANTIATE(Key)                                                            \
  template const void* list_kernel_of<builtin_operator<Key>, no_weight, given_values>(bool); \
  template const void* list_kernel_of<builtin_operator<Key>, Key, given_values>(bool);

GOSSAMER_INSTANTIATE(std::uint32_t)
GOSSAMER_INSTANTIATE(std::uint64_t)
#undef GOSSAMER_INSTANTIATE

}  // namespace gossamer::dataflow::cuda
