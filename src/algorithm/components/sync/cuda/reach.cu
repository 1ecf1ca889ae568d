// Kernels and launches of reach. While it works `hub` is the label of what is found, which may be
// larger than the vertex: nobody walks labels before settle_kernel has made it the smallest.
#include "algorithm/components/sync/cuda/reach.hpp"

#include "algorithm/components/sync/cuda/hook.cuh"
#include "algorithm/components/sync/cuda/launch_passes.cuh"
#include "gossamer/machine/memory.hpp"

namespace gossamer::components_detail::cuda {

namespace {

using dataflow::cuda::lane_id;
using dataflow::cuda::whole_warp;

template <class Id>
__global__ void __launch_bounds__(block_threads)
    alone_kernel(std::int64_t vertices, Id hub, Id* labels, run_state* state) {
  const std::int64_t v = thread_number();
  if (v == 0) *state = {hub, 0};
  if (v < vertices) labels[v] = static_cast<Id>(v);
}

template <class Id>
__global__ void __launch_bounds__(block_threads)
    neighbours_kernel(device_rows<Id> rows, Id hub, Id* labels) {
  const edge_offset k = rows.offsets[hub] + thread_number();
  if (k < rows.offsets[hub + 1]) labels[rows.columns[k]] = hub;
}

/// Of the first vertex in the warp that was found alone, or a lane would wait for the others' turn.
__device__ inline void note_smallest(bool found, std::int64_t v, run_state* state) {
  const unsigned who = __ballot_sync(whole_warp, found);
  if (who == 0 || static_cast<int>(lane_id()) != __ffs(static_cast<int>(who)) - 1) return;
  auto& least = *reinterpret_cast<long long*>(&state->largest);
  if (v < *const_cast<volatile long long*>(&least)) atomicMin(&least, v);
}

/// A row ends at the first neighbour that was found, often its first or second: a thread a row.
template <class Id>
__global__ void __launch_bounds__(block_threads)
    reach_kernel(device_rows<Id> rows, Id hub, Id* labels, run_state* state) {
  const std::int64_t v = thread_number();
  bool found = v < rows.rows && load_label(labels, v, true) == hub;
  if (v < rows.rows && !found) {
    const edge_offset begin = rows.offsets[v], row_end = rows.offsets[v + 1];
    const edge_offset end = row_end < begin + reach_arcs ? row_end : begin + reach_arcs;
    for (edge_offset k = begin; k < end && !found; ++k)
      found = load_label(labels, rows.columns[k], true) == hub;
    if (found) store_label(labels, v, hub);
  }
  note_smallest(found, v, state);
}

template <class Id>
__global__ void __launch_bounds__(block_threads)
    settle_kernel(std::int64_t vertices, Id hub, Id* labels, const run_state* state) {
  const std::int64_t v = thread_number();
  if (v < vertices && labels[v] == hub) labels[v] = static_cast<Id>(state->largest);
}

constexpr int drawn_arcs = 1024;

/// One block, a thread for each arc that is drawn. Rows rise.
template <class Id>
__global__ void __launch_bounds__(drawn_arcs)
    most_kernel(device_rows<Id> rows, std::int64_t arcs, Id hub, std::int64_t looked_at,
                int* found) {
  const Id* const near = rows.columns + rows.offsets[hub];
  const std::int64_t neighbours = rows.offsets[hub + 1] - rows.offsets[hub];
  const auto is_near = [&](Id u) {
    if (u == hub) return true;
    std::int64_t low = 0, high = neighbours;
    while (low < high) {
      const std::int64_t middle = low + (high - low) / 2;
      if (near[middle] < u)
        low = middle + 1;
      else
        high = middle;
    }
    return low < neighbours && near[low] == u;
  };
  const std::int64_t i = threadIdx.x;
  const Id u = rows.columns[arcs / drawn_arcs * i + arcs % drawn_arcs * i / drawn_arcs];
  bool reached = is_near(u);
  const edge_offset begin = rows.offsets[u], row_end = rows.offsets[u + 1];
  const edge_offset end = row_end < begin + looked_at ? row_end : begin + looked_at;
  for (edge_offset k = begin; k < end && !reached; ++k) reached = is_near(rows.columns[k]);
  const int all = __syncthreads_count(reached);
  if (threadIdx.x == 0) *found = all;
}

}  // namespace

template <class Id>
bool reaches_most(const device& on, const device_rows<Id>& rows, std::int64_t arcs, Id hub,
                  std::int64_t looked_at) {
  const auto found = make_native_buffer<int>(on, 1);
  const stream queue(on);
  most_kernel<<<1, drawn_arcs, 0, static_cast<cudaStream_t>(queue.native())>>>(
      rows, arcs, hub, looked_at, found.data());
  algorithm_detail::cuda::launched();
  event done(on.ordinal);
  done.record(queue);
  done.block(stream());  // this thread waits, with a deadline
  int all = 0;
  copy_bytes(&all, found.data(), sizeof all);
  return all >= drawn_arcs / 16 * 15;
}

template <class Id>
void reach(const launch_site& on, const device_rows<Id>& rows, Id hub, edge_offset hub_arcs,
           Id* labels, run_state* state) {
  launch(on, rows.rows, alone_kernel<Id>, rows.rows, hub, labels, state);
  launch(on, hub_arcs, neighbours_kernel<Id>, rows, hub, labels);
  launch(on, rows.rows, reach_kernel<Id>, rows, hub, labels, state);
  launch(on, rows.rows, settle_kernel<Id>, rows.rows, hub, labels, state);
}

#define GOSSAMER_INSTANTIATE(Id)                                                      \
  template bool reaches_most(const device&, const device_rows<Id>&, std::int64_t, Id, \
                             std::int64_t);                                           \
  template void reach(const launch_site&, const device_rows<Id>&, Id, edge_offset, Id*, run_state*);

GOSSAMER_INSTANTIATE(vertex32)
GOSSAMER_INSTANTIATE(vertex64)
#undef GOSSAMER_INSTANTIATE

}  // namespace gossamer::components_detail::cuda
