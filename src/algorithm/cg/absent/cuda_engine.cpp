// Conjugate gradient on GPUs in a build without CUDA.
#include "algorithm/cg/engine.hpp"
#include "gossamer/base/error.hpp"

namespace gossamer::cg_detail {

std::unique_ptr<cg_engine> make_cuda_engine(const local_matrix&, const device&, bool) {
  throw not_compiled("conjugate gradient on GPUs", lacks_gpu_engines());
}

std::string lacks_gpu_engines() {
  return "configure with -DGOSSAMER_CUDA=ON";
}

}  // namespace gossamer::cg_detail
