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

#define GOSSAMER_INSTANTIATE(T)                                                             \
  template std::unique_ptr<gpu_compactor<T>> make_gpu_compactor(const device&, std::size_t, \
                                                                const filter_interval<T>&);

GOSSAMER_INSTANTIATE(std::int32_t)
GOSSAMER_INSTANTIATE(std::int64_t)
GOSSAMER_INSTANTIATE(float)
GOSSAMER_INSTANTIATE(double)
#undef GOSSAMER_INSTANTIATE

}  // namespace gossamer::filter_detail
