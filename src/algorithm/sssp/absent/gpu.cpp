// Shortest paths on GPUs in a build without CUDA.
#include "algorithm/sssp/gpu.hpp"
#include "algorithm/sssp/host_search.hpp"
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
std::unique_ptr<worklist_search<Distance>> make_gpu_worklist(const weighted_placement&, int, double,
                                                             bool) {
  throw not_compiled("sssp on GPUs", "configure with -DGOSSAMER_CUDA=ON");
}

gpu_worklist_bytes gpu_worklist_bytes_of(const std::vector<std::int64_t>&, int, std::int64_t, int) {
  return {};
}

template <class Distance>
std::unique_ptr<worklist_search<Distance>> make_host_worklist(
    const weighted_placement&, int, const algorithm_detail::host_list_options&, bool) {
  throw not_compiled("sssp on GPUs", "configure with -DGOSSAMER_CUDA=ON");
}

gpu_worklist_bytes host_worklist_bytes_of(const std::vector<std::int64_t>&, int, std::int64_t, int,
                                          algorithm_detail::message_route) {
  return {};
}

#define GOSSAMER_INSTANTIATE(Distance)                                                            \
  template std::unique_ptr<gpu_search<Distance>> make_gpu_search(machine&, const graph&, double); \
  template std::unique_ptr<worklist_search<Distance>> make_gpu_worklist<Distance>(                \
      const weighted_placement&, int, double, bool);                                              \
  template std::unique_ptr<worklist_search<Distance>> make_host_worklist<Distance>(               \
      const weighted_placement&, int, const algorithm_detail::host_list_options&, bool);

GOSSAMER_INSTANTIATE(std::uint32_t)
GOSSAMER_INSTANTIATE(float)
GOSSAMER_INSTANTIATE(double)
#undef GOSSAMER_INSTANTIATE

}  // namespace gossamer::sssp_detail
