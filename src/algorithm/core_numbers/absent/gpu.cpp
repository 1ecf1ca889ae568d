// Core numbers on GPUs in a build without CUDA.
#include "algorithm/core_numbers/gpu.hpp"

#include "gossamer/base/error.hpp"

namespace gossamer::core_numbers_detail {

std::unique_ptr<engine> make_gpu(const preparation&) {
  throw not_compiled("core_numbers on GPUs", "configure with -DGOSSAMER_CUDA=ON");
}

void declare_gpu(memory_layout&, const machine&, const problem&) {}

}  // namespace gossamer::core_numbers_detail
