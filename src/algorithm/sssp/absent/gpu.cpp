// Shortest paths on GPUs in a build without CUDA.
#include "algorithm/sssp/gpu.hpp"
#include "algorithm/sssp/instances.hpp"
#include "algorithm/sssp/rank_search.hpp"

#include "gossamer/base/error.hpp"

namespace gossamer::sssp_detail {

template <class Distance>
std::unique_ptr<gpu_search<Distance>> make_gpu_search(machine&, const graph&, double,
                                                      const memory_plan&) {
  throw not_compiled("sssp on GPUs", "configure with -DGOSSAMER_CUDA=ON");
}

void declare_gpu_search(memory_layout&, const problem&) {}

template <class Distance>
std::unique_ptr<rank_search<Distance>> make_gpu_worklist(const weighted_placement&, int,
                                                         const algorithm_detail::list_drive&,
                                                         bool) {
  throw not_compiled("sssp on GPUs", "configure with -DGOSSAMER_CUDA=ON");
}

/// Links are the host's: what they take is known without CUDA.
void declare_gpu_worklist(memory_layout& l, const machine& m, const problem& p, int self,
                          const algorithm_detail::list_drive& how) {
  algorithm_detail::list_memory lists;
  const auto message = 2 * static_cast<std::size_t>(p.weight_bytes);
  if (how.by_host)
    lists.windows = host_loop_arena({m, how.options, message, p.rows.bounds}, how.options, self);
  declare_list(l, self, lists, "distances, lists and marks", p.rows.rows_are);
}

#define GOSSAMER_INSTANTIATE(Distance)                                                           \
  template std::unique_ptr<gpu_search<Distance>> make_gpu_search(machine&, const graph&, double, \
                                                                 const memory_plan&);
GOSSAMER_SSSP_DISTANCES(GOSSAMER_INSTANTIATE)
#undef GOSSAMER_INSTANTIATE
GOSSAMER_SSSP_DISTANCES(GOSSAMER_SSSP_GPU_WORKLIST)

}  // namespace gossamer::sssp_detail
