// Launch of the second pass of deterministic runs.
#include "algorithm/bfs/smallest_parents/cuda/smallest_parents.cuh"

#include "algorithm/bfs/cuda/launch_check.cuh"

namespace gossamer::bfs_detail::cuda {

template <class Id>
void smallest_parents(const launch_site& on, const level_view<Id>& v,
                      const std::int32_t* all_depths, const Id* names) {
  smallest_parents_kernel<Id>
      <<<blocks_for(v.rows, block_threads), block_threads, 0, stream_of(on)>>>(v, all_depths,
                                                                               names);
  launched();
}

#define GOSSAMER_INSTANTIATE(Id)                                                                 \
  template void smallest_parents(const launch_site&, const level_view<Id>&, const std::int32_t*, \
                                 const Id*);
GOSSAMER_INSTANTIATE(vertex32)
GOSSAMER_INSTANTIATE(vertex64)
#undef GOSSAMER_INSTANTIATE

}  // namespace gossamer::bfs_detail::cuda
