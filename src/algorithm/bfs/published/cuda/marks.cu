// Launches of paper B's kernels.
#include "algorithm/bfs/published/cuda/marks.cuh"

#include <algorithm>

#include "algorithm/bfs/cuda/launch_check.cuh"

namespace gossamer::bfs_detail::cuda {

template <class Id>
void enter_frontier(const launch_site& on, const level_view<Id>& v, std::int64_t source) {
  enter_frontier_kernel<Id><<<1, 1, 0, stream_of(on)>>>(v, source);
  launched();
}

template <class Id>
void mark_neighbours(const launch_site& on, const level_view<Id>& v, std::int64_t n,
                     const outgoing_marks& to) {
  mark_kernel<Id><<<blocks_for(n, block_threads), block_threads, 0, stream_of(on)>>>(v, n, to);
  launched();
}

template <class Id>
void merge_marks(const launch_site& on, const level_view<Id>& v, const std::int32_t* inbox) {
  // Blocks that run together, so that a warp gathers finds of several rows for one atomic.
  const auto together = static_cast<unsigned>(on.units * resident_blocks);
  const unsigned blocks = std::min(blocks_for(v.rows, block_threads), together);
  merge_kernel<Id><<<blocks, block_threads, 0, stream_of(on)>>>(v, inbox);
  launched();
}

#define GOSSAMER_INSTANTIATE(Id)                                                         \
  template void enter_frontier(const launch_site&, const level_view<Id>&, std::int64_t); \
  template void mark_neighbours(const launch_site&, const level_view<Id>&, std::int64_t, \
                                const outgoing_marks&);                                  \
  template void merge_marks(const launch_site&, const level_view<Id>&, const std::int32_t*);
GOSSAMER_INSTANTIATE(vertex32)
GOSSAMER_INSTANTIATE(vertex64)
#undef GOSSAMER_INSTANTIATE

}  // namespace gossamer::bfs_detail::cuda
