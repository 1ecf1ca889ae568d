// Components on GPUs in a build without CUDA.
#include "algorithm/connected_components/gpu.hpp"
#include "gossamer/base/error.hpp"

namespace gossamer::components_detail {

std::unique_ptr<components_program> make_gpu(machine&, const graph&,
                                             const std::vector<std::int64_t>&) {
  throw not_compiled("components on GPUs", "configure with -DGOSSAMER_CUDA=ON");
}

gpu_bytes gpu_bytes_on(const machine&, std::int64_t, std::int64_t, std::int64_t, int) {
  return {};
}

}  // namespace gossamer::components_detail
