// Launches of the kernels that begin a search and change the frontier's form.
#include "algorithm/bfs/sync/cuda/frontier.cuh"

#include "algorithm/bfs/cuda/launch_check.cuh"

namespace gossamer::bfs_detail::cuda {

namespace {

/// Launches Kernel<true> or Kernel<false> with one thread per unit of `n`.
template <class Single, class Many, class... Args>
void launch(const launch_site& on, std::int64_t n, Single single, Many many, const Args&... args) {
  const unsigned blocks = blocks_for(n, block_threads);
  if (on.multi) {
    many<<<blocks, block_threads, 0, stream_of(on)>>>(args...);
  } else {
    single<<<blocks, block_threads, 0, stream_of(on)>>>(args...);
  }
  launched();
}

}  // namespace

template <class Id>
void survey(const launch_site& on, const level_view<Id>& v) {
  launch(on, v.rows, survey_kernel<Id, false>, survey_kernel<Id, true>, v);
}

template <class Id>
void start(const launch_site& on, const level_view<Id>& v, std::int32_t source,
           unsigned long long sequence) {
  launch(on, 1, start_kernel<Id, false>, start_kernel<Id, true>, v, source, sequence);
}

template <class Id>
void queue_to_bits(const launch_site& on, const level_view<Id>& v, const std::int32_t* queue,
                   std::int64_t n, std::uint32_t* bits) {
  launch(on, words_of(v.rows), clear_bits_kernel<Id, false>, clear_bits_kernel<Id, true>, v, bits);
  if (n == 0) return;
  launch(on, n, queue_to_bits_kernel<Id, false>, queue_to_bits_kernel<Id, true>, v, queue, n, bits);
}

template <class Id>
void bits_to_queue(const launch_site& on, const level_view<Id>& v, const std::uint32_t* bits,
                   std::int32_t* queue) {
  launch(on, words_of(v.rows), bits_to_queue_kernel<Id, false>, bits_to_queue_kernel<Id, true>, v,
         bits, queue);
}

template <class Id>
void note_reached(const launch_site& on, const level_view<Id>& v, const std::uint32_t* bits,
                  std::int64_t words) {
  launch(on, words, note_reached_kernel<Id>, note_reached_kernel<Id>, v, bits, words);
}

#define GOSSAMER_INSTANTIATE(Id)                                                               \
  template void survey(const launch_site&, const level_view<Id>&);                             \
  template void start(const launch_site&, const level_view<Id>&, std::int32_t,                 \
                      unsigned long long);                                                     \
  template void queue_to_bits(const launch_site&, const level_view<Id>&, const std::int32_t*,  \
                              std::int64_t, std::uint32_t*);                                   \
  template void bits_to_queue(const launch_site&, const level_view<Id>&, const std::uint32_t*, \
                              std::int32_t*);                                                  \
  template void note_reached(const launch_site&, const level_view<Id>&, const std::uint32_t*,  \
                             std::int64_t);
GOSSAMER_INSTANTIATE(vertex32)
GOSSAMER_INSTANTIATE(vertex64)
#undef GOSSAMER_INSTANTIATE

}  // namespace gossamer::bfs_detail::cuda
