// Triangles on GPUs in a build without CUDA.
#include "algorithm/triangles/gpu.hpp"

#include "gossamer/base/error.hpp"

namespace gossamer::triangles_detail {

std::unique_ptr<engine> make_gpu(const preparation&) {
  throw not_compiled("triangles on GPUs", "configure with -DGOSSAMER_CUDA=ON");
}

void declare_gpu(memory_layout&, const machine&, const problem&, int) {}

}  // namespace gossamer::triangles_detail
