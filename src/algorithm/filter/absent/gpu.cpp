// Filter on GPUs in a build without CUDA.
#include "algorithm/filter/gpu.hpp"

#include "gossamer/base/error.hpp"

namespace gossamer::filter_detail {

template <class T>
std::unique_ptr<gpu_compactor<T>> make_gpu_compactor(const device&, std::size_t,
                                                     const filter_interval<T>&) {
  throw not_compiled("filter on GPUs", "configure with -DGOSSAMER_CUDA=ON");
}

std::int64_t gpu_compactor_bytes(std::size_t) {
  return 0;
}

GOSSAMER_FILTER_TYPES(GOSSAMER_GPU_COMPACTOR)

}  // namespace gossamer::filter_detail
