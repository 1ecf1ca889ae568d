// Builds without CUDA: the engine's name is known, and says how to get it.
#include "algorithm/bfs/rank_search.hpp"

namespace gossamer::bfs_detail {

namespace {

[[noreturn]] void refuse() {
  throw not_compiled("engine 'single_kernel' of bfs", "configure with -DGOSSAMER_CUDA=ON");
}
template <class Id>
std::unique_ptr<rank_search<Id>> make(const placed_graph&, int, const bfs_options&) {
  refuse();
}

}  // namespace

// NOLINTNEXTLINE(bugprone-throwing-static-initialization): pointers to functions do not throw
const engine_functions single_kernel_engine = {
    [](const placed_graph&, const bfs_options&) { refuse(); },
    [](algorithm_detail::memory_layout&, const planned_rank&, const bfs_options&) { refuse(); },
    make<vertex32>, make<vertex64>};

}  // namespace gossamer::bfs_detail
