// Launches of paper A's kernels.
#include "algorithm/bfs/cuda/launch_check.cuh"
#include "algorithm/bfs/vector_queue/cuda/vector_queue.cuh"

namespace gossamer::bfs_detail::cuda {

namespace {

unsigned pieces_of(std::int64_t entries) {
  return blocks_for(entries, rows_per_count);
}

}  // namespace

template <class Id>
void enter_source(const launch_site& on, const vector_queue_view<Id>& v, std::int64_t local,
                  std::int64_t* queue) {
  enter_source_kernel<Id><<<1, 1, 0, stream_of(on)>>>(v, local, queue);
  launched();
}

template <class Id>
void gather_neighbours(const launch_site& on, const vector_queue_view<Id>& v,
                       const std::int64_t* queue, std::int64_t n) {
  gather_kernel<false, Id>
      <<<blocks_for(n, block_threads), block_threads, 0, stream_of(on)>>>(v, queue, n);
  launched();
}

template <class Id>
void update_labels(const launch_site& on, const vector_queue_view<Id>& v, std::int32_t depth) {
  update_kernel<Id><<<pieces_of(v.rows), block_threads, 0, stream_of(on)>>>(v, depth);
  launched();
}

template <class Id>
void vector_to_queue(const launch_site& on, const vector_queue_view<Id>& v, std::int64_t* queue,
                     std::uint32_t* finds) {
  const unsigned pieces = pieces_of(v.rows);
  scan_counts_kernel<Id><<<1, block_threads, 0, stream_of(on)>>>(v, pieces);
  launched();
  convert_kernel<Id><<<pieces, block_threads, 0, stream_of(on)>>>(v, queue, finds);
  launched();
}

template <class Id>
void smallest_labels(const launch_site& on, const vector_queue_view<Id>& v, std::int64_t vertices,
                     const std::int32_t* all_depths, const Id* names) {
  smallest_labels_kernel<Id>
      <<<blocks_for(vertices, block_warps), block_threads, 0, stream_of(on)>>>(v, vertices,
                                                                               all_depths, names);
  launched();
}

template <class Id>
void turn_slice(const launch_site& on, const graph_slice<Id>& slice, std::int64_t placed,
                edge_offset* offsets, Id* own, std::int64_t* counts) {
  auto* const cursors = reinterpret_cast<unsigned long long*>(offsets);
  auto* const entries = reinterpret_cast<std::int64_t*>(offsets);
  const std::int64_t n = placed + 2;
  const unsigned pieces = pieces_of(n);
  const cudaStream_t stream = stream_of(on);
  count_columns_kernel<Id><<<static_cast<unsigned>(on.units) * 8, block_threads, 0, stream>>>(
      slice.in_columns, slice.in_arcs, cursors);
  launched();
  sum_pieces_kernel<<<pieces, block_threads, 0, stream>>>(entries, n, counts);
  launched();
  scan_pieces_kernel<<<1, block_threads, 0, stream>>>(counts, pieces);
  launched();
  finish_pieces_kernel<<<pieces, block_threads, 0, stream>>>(entries, n, counts);
  launched();
  place_rows_kernel<Id>
      <<<blocks_for(slice.rows, block_warps), block_threads, 0, stream>>>(slice, cursors, own);
  launched();
}

#define GOSSAMER_INSTANTIATE(Id)                                                                   \
  template void enter_source(const launch_site&, const vector_queue_view<Id>&, std::int64_t,       \
                             std::int64_t*);                                                       \
  template void gather_neighbours(const launch_site&, const vector_queue_view<Id>&,                \
                                  const std::int64_t*, std::int64_t);                              \
  template void update_labels(const launch_site&, const vector_queue_view<Id>&, std::int32_t);     \
  template void vector_to_queue(const launch_site&, const vector_queue_view<Id>&, std::int64_t*,   \
                                std::uint32_t*);                                                   \
  template void smallest_labels(const launch_site&, const vector_queue_view<Id>&, std::int64_t,    \
                                const std::int32_t*, const Id*);                                   \
  template void turn_slice(const launch_site&, const graph_slice<Id>&, std::int64_t, edge_offset*, \
                           Id*, std::int64_t*);
GOSSAMER_INSTANTIATE(vertex32)
GOSSAMER_INSTANTIATE(vertex64)
#undef GOSSAMER_INSTANTIATE

}  // namespace gossamer::bfs_detail::cuda
