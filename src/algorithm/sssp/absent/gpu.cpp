// Shortest paths on GPUs in a build without CUDA.
#include "algorithm/sssp/gpu.hpp"
#include "algorithm/sssp/worklist_search.hpp"

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
std::unique_ptr<worklist_search<Distance>> make_gpu_worklist(const weighted_placement&, int,
                                                             const algorithm_detail::list_drive&,
                                                             bool) {
  throw not_compiled("sssp on GPUs", "configure with -DGOSSAMER_CUDA=ON");
}

gpu_worklist_bytes gpu_worklist_bytes_of(const machine&, const planned_rows&, int, int,
                                         const algorithm_detail::list_drive&) {
  return {};
}

#define GOSSAMER_INSTANTIATE(Distance)                                                            \
  template std::unique_ptr<gpu_search<Distance>> make_gpu_search(machine&, const graph&, double); \
  template std::unique_ptr<worklist_search<Distance>> make_gpu_worklist<Distance>(                \
      const weighted_placement&, int, const algorithm_detail::list_drive&, bool);

GOSSAMER_INSTANTIATE(std::uint32_t)
GOSSAMER_INSTANTIATE(float)
GOSSAMER_INSTANTIATE(double)
#undef GOSSAMER_INSTANTIATE

}  // namespace gossamer::sssp_detail
