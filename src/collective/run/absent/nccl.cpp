// Builds without NCCL's header, or without CUDA.
#include "collective/run/nccl.hpp"
#include "gossamer/base/error.hpp"

namespace gossamer {

bool nccl_there() {
  return false;
}

std::unique_ptr<library_call> plan_nccl(rank&, const collective_request&, element_type, reduction,
                                        const plan_detail::buffers&, plan_runner) {
  throw not_compiled("algorithm 'nccl' of collectives",
                     "configure with -DGOSSAMER_CUDA=ON -DGOSSAMER_NCCL=ON");
}

}  // namespace gossamer
