// PageRank on GPUs in a build without CUDA.
#include "algorithm/pagerank/async/push.hpp"
#include "algorithm/pagerank/sync/built_rows.hpp"
#include "algorithm/pagerank/sync/gpu_engine.hpp"
#include "gossamer/base/error.hpp"

namespace gossamer::pagerank_detail {

namespace {

[[noreturn]] void no_gpus() {
  throw not_compiled("pagerank on GPUs", "configure with -DGOSSAMER_CUDA=ON");
}

}  // namespace

template <class Value>
std::unique_ptr<gpu_engine<Value>> make_gpu_engine(const gpu_rows<Value>&, int, const device&,
                                                   const pagerank_options&, bool,
                                                   const memory_plan&) {
  no_gpus();
}
template <class Value>
// NOLINTNEXTLINE(performance-unnecessary-value-param): the one of builds with CUDA keeps it
std::unique_ptr<gpu_engine<Value>> make_gpu_engine(std::shared_ptr<const rows_on_gpu<Value>>,
                                                   const device&, const pagerank_options&, bool) {
  no_gpus();
}
template <class Id, class Value>
rows_on_gpu<Value> build_rows(const device&, const graph_on_gpu<Id>&, const row_building&) {
  no_gpus();
}

#define GOSSAMER_INSTANTIATE(Value)                                                             \
  template std::unique_ptr<gpu_engine<Value>> make_gpu_engine(                                  \
      const gpu_rows<Value>&, int, const device&, const pagerank_options&, bool,                \
      const memory_plan&);                                                                      \
  template std::unique_ptr<gpu_engine<Value>> make_gpu_engine(                                  \
      std::shared_ptr<const rows_on_gpu<Value>>, const device&, const pagerank_options&, bool); \
  template rows_on_gpu<Value> build_rows(const device&, const graph_on_gpu<vertex32>&,          \
                                         const row_building&);                                  \
  template rows_on_gpu<Value> build_rows(const device&, const graph_on_gpu<vertex64>&,          \
                                         const row_building&);

GOSSAMER_INSTANTIATE(float)
GOSSAMER_INSTANTIATE(double)
#undef GOSSAMER_INSTANTIATE

template <class Id, class Weight>
std::unique_ptr<residual_push> make_gpu_push(const placed_graph&, int, const Weight*,
                                             const push_problem&,
                                             const algorithm_detail::list_drive&) {
  no_gpus();
}

void declare_gpu_push(memory_layout&, const machine&, const problem&, int,
                      const pagerank_options&) {}

GOSSAMER_GPU_PUSHES

}  // namespace gossamer::pagerank_detail
