// Random walks on GPUs in a build without CUDA.
#include "algorithm/random_walks/gpu.hpp"

#include "gossamer/base/error.hpp"

namespace gossamer::random_walks_detail {

std::unique_ptr<engine> make_gpu(const preparation&) {
  throw not_compiled("random_walks on GPUs", "configure with -DGOSSAMER_CUDA=ON");
}

void declare_gpu(memory_layout&, const problem&, const random_walks_options&, int) {}

}  // namespace gossamer::random_walks_detail
