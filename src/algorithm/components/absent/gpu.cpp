// Components on GPUs in a build without CUDA.
#include "algorithm/components/gpu.hpp"

#include "algorithm/components/async/flood.hpp"
#include "algorithm/components/routed/joins.hpp"
#include "algorithm/components/sync/cuda/reach.hpp"
#include "gossamer/base/error.hpp"

namespace gossamer::components_detail {

// NOLINTNEXTLINE(performance-unnecessary-value-param): the one of builds with CUDA keeps it
std::unique_ptr<engine> make_gpu(std::shared_ptr<const placed_graph>) {
  throw not_compiled("components on GPUs", "configure with -DGOSSAMER_CUDA=ON");
}

void declare_gpu(memory_layout&, const machine&, const problem&, int) {}

template <class Id>
std::unique_ptr<label_flood<Id>> make_gpu_flood(const placed_graph&, int,
                                                const algorithm_detail::list_drive&) {
  throw not_compiled("components on GPUs", "configure with -DGOSSAMER_CUDA=ON");
}

template <class Id>
std::unique_ptr<label_joins<Id>> make_gpu_joins(rank&, std::span<Id>) {
  throw not_compiled("components on GPUs", "configure with -DGOSSAMER_CUDA=ON");
}

void declare_gpu_flood(memory_layout&, const machine&, const problem&, int, std::int64_t,
                       const algorithm_detail::list_drive&) {}

template <class Id>
bool cuda::reaches_most(const device&, const device_rows<Id>&, std::int64_t, Id, std::int64_t) {
  throw not_compiled("components on GPUs", "configure with -DGOSSAMER_CUDA=ON");
}
template bool cuda::reaches_most(const device&, const device_rows<vertex32>&, std::int64_t,
                                 vertex32, std::int64_t);

template std::unique_ptr<label_flood<vertex32>> make_gpu_flood(const placed_graph&, int,
                                                               const algorithm_detail::list_drive&);
template std::unique_ptr<label_flood<vertex64>> make_gpu_flood(const placed_graph&, int,
                                                               const algorithm_detail::list_drive&);
template std::unique_ptr<label_joins<vertex32>> make_gpu_joins(rank&, std::span<vertex32>);
template std::unique_ptr<label_joins<vertex64>> make_gpu_joins(rank&, std::span<vertex64>);

}  // namespace gossamer::components_detail
