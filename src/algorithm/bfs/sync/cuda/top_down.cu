// Launches of the top-down kernels.
#include "algorithm/bfs/sync/cuda/top_down.cuh"

#include "algorithm/bfs/cuda/launch_check.cuh"

namespace gossamer::bfs_detail::cuda {

namespace {

/// Vertices a warp expands. Frontiers too small to fill the device are cut finer: their time is the
/// length of a warp's chain of dependent loads.
int tile_for(const launch_site& on, std::int64_t n) {
  const std::int64_t warps = static_cast<std::int64_t>(on.units) * resident_blocks * block_warps;
  if (n <= warps * 8) return 8;
  return n <= warps * 16 ? 16 : 32;
}

}  // namespace

template <class Id>
void expand(const launch_site& on, const level_view<Id>& v, const std::int32_t* queue,
            std::int64_t n, bool defer, reporting what, unsigned long long sequence) {
  const int tile = tile_for(on, n);
  const unsigned blocks = blocks_for(n, std::int64_t{tile} * block_warps);
  if (on.multi) {
    expand_kernel<Id, true>
        <<<blocks, block_threads, 0, stream_of(on)>>>(v, queue, n, tile, defer, what, sequence);
  } else {
    expand_kernel<Id, false>
        <<<blocks, block_threads, 0, stream_of(on)>>>(v, queue, n, tile, defer, what, sequence);
  }
  launched();
}

template <class Id>
void expand_hubs(const launch_site& on, const level_view<Id>& v, reporting what,
                 unsigned long long sequence) {
  const unsigned blocks = static_cast<unsigned>(on.units * resident_blocks);
  if (on.multi) {
    expand_hubs_kernel<Id, true><<<blocks, block_threads, 0, stream_of(on)>>>(v, what, sequence);
  } else {
    expand_hubs_kernel<Id, false><<<blocks, block_threads, 0, stream_of(on)>>>(v, what, sequence);
  }
  launched();
}

template <class Id>
void absorb(const launch_site& on, const level_view<Id>& v, const message<Id>* inbox,
            const unsigned long long* mail, unsigned long long level_tag,
            unsigned long long sequence) {
  // The number of messages is known to the device only, so the grid fits any; it is kept below the
  // device's capacity because most levels of road-like graphs bring a handful.
  const unsigned blocks = static_cast<unsigned>(on.units * 2);
  absorb_kernel<Id><<<blocks, block_threads, 0, stream_of(on)>>>(v, inbox, mail, level_tag,
                                                                 reporting::level, sequence);
  launched();
}

#define GOSSAMER_INSTANTIATE(Id)                                                       \
  template void expand(const launch_site&, const level_view<Id>&, const std::int32_t*, \
                       std::int64_t, bool, reporting, unsigned long long);             \
  template void expand_hubs(const launch_site&, const level_view<Id>&, reporting,      \
                            unsigned long long);                                       \
  template void absorb(const launch_site&, const level_view<Id>&, const message<Id>*,  \
                       const unsigned long long*, unsigned long long, unsigned long long);
GOSSAMER_INSTANTIATE(vertex32)
GOSSAMER_INSTANTIATE(vertex64)
#undef GOSSAMER_INSTANTIATE

}  // namespace gossamer::bfs_detail::cuda
