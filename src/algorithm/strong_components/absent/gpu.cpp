// Strong components on GPUs in a build without CUDA.
#include "algorithm/strong_components/gpu.hpp"

#include "gossamer/base/error.hpp"

namespace gossamer::strong_components_detail {

std::unique_ptr<engine> make_gpu(const preparation&) {
  throw not_compiled("strong_components on GPUs", "configure with -DGOSSAMER_CUDA=ON");
}

void declare_gpu(memory_layout&, const problem&) {}

}  // namespace gossamer::strong_components_detail
