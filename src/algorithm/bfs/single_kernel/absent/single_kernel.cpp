// Builds without CUDA: the engine's name is known, and says how to get it.
#include "algorithm/bfs/program.hpp"

namespace gossamer::bfs_detail {

namespace {

[[noreturn]] void refuse() {
  throw not_compiled("engine 'single_kernel' of bfs", "configure with -DGOSSAMER_CUDA=ON");
}
template <class Id>
std::unique_ptr<bfs_program<Id>> make(const placed_graph&, int, const bfs_options&) {
  refuse();
}

}  // namespace

const program_kind single_kernel_program = {
    "single_kernel", [](const placed_graph&, const bfs_options&) { refuse(); },
    [](const machine&, const ownership_sizes&, const graph_size&, int, int,
       const bfs_options&) -> program_bytes { refuse(); },
    make<vertex32>, make<vertex64>};

}  // namespace gossamer::bfs_detail
