// Engine `single_kernel` of BFS for GPUs that are not there: plans what a search takes for each
// row, and searches nothing.
#include <stdexcept>

#include "algorithm/bfs/rank_search.hpp"

namespace gossamer::bfs_detail {

namespace {

template <class Id>
std::unique_ptr<rank_search<Id>> make(const placed_graph&, int, const bfs_options&) {
  throw std::logic_error("a GPU that is not there cannot search");
}

void declare(algorithm_detail::memory_layout& l, const planned_rank& p, const bfs_options&) {
  declare_search(l, p, {24 * p.rows(), 0, 0});
}

}  // namespace

const engine_functions single_kernel_engine = {[](const placed_graph&, const bfs_options&) {},
                                               declare, make<vertex32>, make<vertex64>};

}  // namespace gossamer::bfs_detail
