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

search_bytes bytes(const machine&, const ownership_sizes& owners, const graph_size&, int rank,
                   int width, const bfs_options&) {
  const std::int64_t rows = owners.local_size(rank);
  search_bytes all;
  all.own.work = 24 * rows;
  all.own.result = (width + 4) * rows;
  return all;
}

}  // namespace

const engine_functions single_kernel_engine = {[](const placed_graph&, const bfs_options&) {},
                                               bytes, make<vertex32>, make<vertex64>};

}  // namespace gossamer::bfs_detail
