// Launches of the bottom-up kernel.
#include "algorithm/bfs/sync/cuda/bottom_up.cuh"

#include "algorithm/bfs/cuda/launch_check.cuh"

namespace gossamer::bfs_detail::cuda {

namespace {

/// Words a warp owns: 32 when the graph is large enough to keep the device busy for two rounds,
/// fewer on small graphs, which need every warp.
int batch_for(const launch_site& on, std::int64_t words) {
  const std::int64_t warps = static_cast<std::int64_t>(on.units) * 64 * 2;
  int batch = 32;
  while (batch > 2 && words < warps * batch) batch /= 2;
  return batch;
}

}  // namespace

template <class Id>
void bottom_up(const launch_site& on, const level_view<Id>& v, const std::uint32_t* frontier,
               std::uint32_t* next, unsigned long long sequence) {
  const std::int64_t words = words_of(v.rows);
  const int batch = batch_for(on, words);
  const unsigned blocks = blocks_for(words, std::int64_t{batch} * block_warps);
  if (on.multi) {
    bottom_up_kernel<Id, true>
        <<<blocks, block_threads, 0, stream_of(on)>>>(v, frontier, next, batch, sequence);
  } else {
    bottom_up_kernel<Id, false>
        <<<blocks, block_threads, 0, stream_of(on)>>>(v, frontier, next, batch, sequence);
  }
  launched();
}

#define GOSSAMER_INSTANTIATE(Id)                                                           \
  template void bottom_up(const launch_site&, const level_view<Id>&, const std::uint32_t*, \
                          std::uint32_t*, unsigned long long);
GOSSAMER_INSTANTIATE(vertex32)
GOSSAMER_INSTANTIATE(vertex64)
#undef GOSSAMER_INSTANTIATE

}  // namespace gossamer::bfs_detail::cuda
