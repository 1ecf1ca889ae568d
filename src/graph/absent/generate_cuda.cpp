// Generation on a GPU in a build without CUDA: says how to get it.
#include "graph/generate_cuda.hpp"

namespace gossamer::detail {

std::int64_t cuda_free_bytes(int) {
  throw not_compiled("generating on a GPU", "configure with -DGOSSAMER_CUDA=ON");
}

generated_rows generate_rows_cuda(const generator_spec&, const generate_options&,
                                  const generator_plan&) {
  throw not_compiled("generating on a GPU", "configure with -DGOSSAMER_CUDA=ON");
}

}  // namespace gossamer::detail

namespace gossamer {

graph generate_on_gpu(const generator_spec&, const generate_options&) {
  throw not_compiled("generating on a GPU", "configure with -DGOSSAMER_CUDA=ON");
}

}  // namespace gossamer
