// Parents of a rank in the width that papers A and B send them in.
#include "algorithm/bfs/cuda/launch_check.cuh"

namespace gossamer::bfs_detail::cuda {

namespace {

template <class Id>
__global__ void __launch_bounds__(block_threads)
    widen_parents_kernel(const Id* parents, std::int64_t rows, std::int64_t* into) {
  const std::int64_t row = static_cast<std::int64_t>(blockIdx.x) * block_threads + threadIdx.x;
  if (row < rows) into[row] = parents[row];
}

}  // namespace

template <class Id>
void widen_parents(const launch_site& on, const Id* parents, std::int64_t rows,
                   std::int64_t* into) {
  widen_parents_kernel<Id>
      <<<blocks_for(rows, block_threads), block_threads, 0, stream_of(on)>>>(parents, rows, into);
  launched();
}

#define GOSSAMER_INSTANTIATE(Id) \
  template void widen_parents(const launch_site&, const Id*, std::int64_t, std::int64_t*);
GOSSAMER_INSTANTIATE(vertex32)
GOSSAMER_INSTANTIATE(vertex64)
#undef GOSSAMER_INSTANTIATE

}  // namespace gossamer::bfs_detail::cuda
