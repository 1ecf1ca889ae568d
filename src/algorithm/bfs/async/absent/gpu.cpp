// Breadth-first search by a worklist on GPUs in a build without CUDA.
#include "algorithm/bfs/async/gpu.hpp"
#include "gossamer/base/error.hpp"

namespace gossamer::bfs_detail {

void check_gpu_async(const placed_graph&, const bfs_options&) {
  throw not_compiled("bfs on GPUs", "configure with -DGOSSAMER_CUDA=ON");
}

std::unique_ptr<rank_search<vertex32>> make_gpu_async(const placed_graph&, int,
                                                      const bfs_options&) {
  throw not_compiled("bfs on GPUs", "configure with -DGOSSAMER_CUDA=ON");
}

algorithm_detail::listed_bytes gpu_async_bytes(const planned_rank&, const bfs_options&) {
  return {};
}

}  // namespace gossamer::bfs_detail
