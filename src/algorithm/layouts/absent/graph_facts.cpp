// Facts of graphs on GPUs in a build without CUDA.
#include "algorithm/layouts/cuda/graph_facts.hpp"

#include "gossamer/base/error.hpp"

namespace gossamer::algorithm_detail {

degree_facts degrees_on_gpu(const graph&) {
  throw not_compiled("graphs on GPUs", "configure with -DGOSSAMER_CUDA=ON");
}

weights_seen weights_on_gpu(const graph&) {
  throw not_compiled("graphs on GPUs", "configure with -DGOSSAMER_CUDA=ON");
}

}  // namespace gossamer::algorithm_detail
