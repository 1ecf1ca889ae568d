// Paper B's search on GPUs in a build without CUDA.
#include "algorithm/bfs/published/steps.hpp"
#include "gossamer/base/error.hpp"

namespace gossamer::bfs_detail {

template <class Id>
std::unique_ptr<published_steps<Id>> make_cuda_published(const placed_graph&, int) {
  throw not_compiled("CUDA devices", "configure with -DGOSSAMER_CUDA=ON");
}
GOSSAMER_PUBLISHED_STEPS(make_cuda_published)

algorithm_detail::listed_bytes cuda_published_bytes(const planned_rank&) {
  return {};
}

}  // namespace gossamer::bfs_detail
