// Builds without CUDA: asking for a CUDA engine says how to get one.
#include "algorithm/bfs/engine.hpp"
#include "algorithm/bfs/vector_queue/steps.hpp"

namespace gossamer::bfs_detail {

template <class Id>
std::unique_ptr<bfs_engine<Id>> make_cuda_engine(const placed_graph&, int, const bfs_options&) {
  throw not_compiled("CUDA devices", "configure with -DGOSSAMER_CUDA=ON");
}
GOSSAMER_BFS_ENGINES(make_cuda_engine)

algorithm_detail::listed_bytes cuda_engine_bytes(const planned_rank&) {
  return {};
}

template <class Id>
std::unique_ptr<vector_queue_steps<Id>> make_cuda_vector_queue(const placed_graph&, int, int) {
  throw not_compiled("CUDA devices", "configure with -DGOSSAMER_CUDA=ON");
}
GOSSAMER_QUEUE_STEPS(make_cuda_vector_queue)

queue_bytes cuda_vector_queue_bytes(const planned_rank&) {
  return {};
}

template <class Id>
std::unique_ptr<vector_queue_steps<Id>> make_cuda_sort_unique(const placed_graph& g, int rank,
                                                              int label_bytes) {
  return make_cuda_vector_queue<Id>(g, rank, label_bytes);  // throws
}
GOSSAMER_QUEUE_STEPS(make_cuda_sort_unique)

queue_bytes cuda_sort_unique_bytes(const planned_rank&) {
  return {};
}

}  // namespace gossamer::bfs_detail
