// PageRank on GPUs in a build without CUDA.
#include "algorithm/pagerank/gpu_engine.hpp"
#include "algorithm/pagerank/push.hpp"
#include "gossamer/base/error.hpp"

namespace gossamer::pagerank_detail {

template <class Value>
std::unique_ptr<gpu_engine<Value>> make_gpu_engine(const gpu_rows<Value>&, int, const device&,
                                                   const pagerank_options&, bool) {
  throw not_compiled("pagerank on GPUs", "configure with -DGOSSAMER_CUDA=ON");
}
template std::unique_ptr<gpu_engine<float>> make_gpu_engine(const gpu_rows<float>&, int,
                                                            const device&, const pagerank_options&,
                                                            bool);
template std::unique_ptr<gpu_engine<double>> make_gpu_engine(const gpu_rows<double>&, int,
                                                             const device&, const pagerank_options&,
                                                             bool);

template <class Id, class Weight>
std::unique_ptr<residual_push> make_gpu_push(const device&, const weighted_rows<Id, Weight>&,
                                             const push_problem&, int) {
  throw not_compiled("pagerank on GPUs", "configure with -DGOSSAMER_CUDA=ON");
}

gpu_push_bytes gpu_push_bytes_of(const std::vector<std::int64_t>&, int, std::int64_t, bool) {
  return {};
}

#define GOSSAMER_INSTANTIATE(Id, Weight)                 \
  template std::unique_ptr<residual_push> make_gpu_push( \
      const device&, const weighted_rows<Id, Weight>&, const push_problem&, int);

GOSSAMER_INSTANTIATE(vertex32, no_weight)
GOSSAMER_INSTANTIATE(vertex32, std::int32_t)
GOSSAMER_INSTANTIATE(vertex32, float)
GOSSAMER_INSTANTIATE(vertex32, double)
GOSSAMER_INSTANTIATE(vertex64, no_weight)
GOSSAMER_INSTANTIATE(vertex64, std::int32_t)
GOSSAMER_INSTANTIATE(vertex64, float)
GOSSAMER_INSTANTIATE(vertex64, double)
#undef GOSSAMER_INSTANTIATE

}  // namespace gossamer::pagerank_detail
