// Compiled programs on GPUs in a build without CUDA.
#include "algorithm/vertex_program/engine.hpp"
#include "gossamer/base/error.hpp"

namespace gossamer {

std::vector<int> program_architectures(const machine&) {
  return {};
}

namespace program_detail {

template <class Id, class Key>
std::unique_ptr<program_rank<Key>> make_gpu_worklist(const vertex_program&, const program_rows<Id>&,
                                                     const list_shape&) {
  throw not_compiled("vertex programs on GPUs", "configure with -DGOSSAMER_CUDA=ON");
}

void declare_gpu_worklist(algorithm_detail::memory_layout&, const machine&, const planned_rows&,
                          int, int, const vertex_program&) {}

GOSSAMER_PROGRAM_TYPES(GOSSAMER_GPU_PROGRAM_RANK)

}  // namespace program_detail

}  // namespace gossamer
