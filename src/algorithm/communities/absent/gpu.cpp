// Communities on GPUs in a build without CUDA.
#include "algorithm/communities/gpu.hpp"

#include "gossamer/base/error.hpp"

namespace gossamer::communities_detail {

std::unique_ptr<engine> make_gpu(const preparation&) {
  throw not_compiled("communities on GPUs", "configure with -DGOSSAMER_CUDA=ON");
}

void declare_gpu(memory_layout&, const machine&, const problem&, const communities_options&) {}

}  // namespace gossamer::communities_detail
