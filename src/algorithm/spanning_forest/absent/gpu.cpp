// Spanning forests on GPUs in a build without CUDA.
#include "algorithm/spanning_forest/gpu.hpp"

#include "gossamer/base/error.hpp"

namespace gossamer::spanning_forest_detail {

std::unique_ptr<engine> make_gpu(const preparation&) {
  throw not_compiled("spanning_forest on GPUs", "configure with -DGOSSAMER_CUDA=ON");
}

void declare_gpu(memory_layout&, const machine&, const problem&) {}

}  // namespace gossamer::spanning_forest_detail
