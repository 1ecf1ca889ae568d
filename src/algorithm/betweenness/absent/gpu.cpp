// Betweenness on GPUs in a build without CUDA.
#include "algorithm/betweenness/gpu.hpp"

#include "gossamer/base/error.hpp"

namespace gossamer::betweenness_detail {

std::unique_ptr<engine> make_gpu(const preparation&) {
  throw not_compiled("betweenness on GPUs", "configure with -DGOSSAMER_CUDA=ON");
}

void declare_gpu(memory_layout&, const machine&, const problem&, const betweenness_options&) {}

}  // namespace gossamer::betweenness_detail
