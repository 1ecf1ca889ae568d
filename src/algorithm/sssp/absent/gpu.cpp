// Shortest paths on GPUs in a build without CUDA.
#include "algorithm/sssp/gpu.hpp"
#include "algorithm/sssp/instances.hpp"
#include "algorithm/sssp/rank_search.hpp"

#include "gossamer/base/error.hpp"

namespace gossamer::sssp_detail {

template <class Distance>
std::unique_ptr<gpu_search<Distance>> make_gpu_search(machine&, const graph&, double) {
  throw not_compiled("sssp on GPUs", "configure with -DGOSSAMER_CUDA=ON");
}

gpu_bytes gpu_bytes_of(std::int64_t, std::int64_t, int, int) {
  return {};
}

template <class Distance>
std::unique_ptr<rank_search<Distance>> make_gpu_worklist(const weighted_placement&, int,
                                                         const algorithm_detail::list_drive&,
                                                         bool) {
  throw not_compiled("sssp on GPUs", "configure with -DGOSSAMER_CUDA=ON");
}

/// Links are the host's: what they take is known without CUDA.
gpu_worklist_bytes gpu_worklist_bytes_of(const machine& m, const planned_rows& rows, int self,
                                         int distance_bytes,
                                         const algorithm_detail::list_drive& how) {
  gpu_worklist_bytes b;
  const auto message = static_cast<std::size_t>(2 * distance_bytes);
  if (how.by_host)
    b.lists.windows = host_loop_arena({m, how.options, message, rows.bounds}, how.options, self);
  return b;
}

#define GOSSAMER_INSTANTIATE(Distance) \
  template std::unique_ptr<gpu_search<Distance>> make_gpu_search(machine&, const graph&, double);
GOSSAMER_SSSP_DISTANCES(GOSSAMER_INSTANTIATE)
#undef GOSSAMER_INSTANTIATE
GOSSAMER_SSSP_DISTANCES(GOSSAMER_SSSP_GPU_WORKLIST)

}  // namespace gossamer::sssp_detail
