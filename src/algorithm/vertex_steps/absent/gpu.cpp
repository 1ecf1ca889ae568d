// Steps on GPUs in a build without CUDA.
#include "algorithm/vertex_steps/engine.hpp"
#include "gossamer/base/error.hpp"

namespace gossamer::steps_detail {

std::unique_ptr<step_engine> make_gpu_steps(const step_graph&) {
  throw not_compiled("vertex steps on GPUs", "configure with -DGOSSAMER_CUDA=ON");
}

}  // namespace gossamer::steps_detail
