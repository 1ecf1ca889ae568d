// Distances on GPUs in a build without CUDA.
#include "algorithm/distances/gpu.hpp"

#include "gossamer/base/error.hpp"

namespace gossamer::distances_detail {

std::unique_ptr<engine> make_gpu(const preparation&) {
  throw not_compiled("distances on GPUs", "configure with -DGOSSAMER_CUDA=ON");
}

void declare_gpu(memory_layout&, const machine&, const problem&, const distances_options&) {}

}  // namespace gossamer::distances_detail
