// PageRank on GPUs in a build without CUDA.
#include "algorithm/pagerank/gpu_engine.hpp"
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

}  // namespace gossamer::pagerank_detail
