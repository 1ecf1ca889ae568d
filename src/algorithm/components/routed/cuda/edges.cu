// An edge a lane, whole warps: lanes that mean one root send one swap (hook.cuh). Edges come row by
// row, so that neighbouring lanes read neighbouring labels of their first ends.
#include "algorithm/components/routed/cuda/edges.hpp"
#include "algorithm/components/sync/cuda/hook.cuh"
#include "algorithm/components/sync/cuda/launch_passes.cuh"

namespace gossamer::components_detail::cuda {

namespace {

using dataflow::cuda::lane_id;

template <class Id>
__global__ void __launch_bounds__(block_threads) own_kernel(vertex_span of, Id* labels) {
  for (std::int64_t v = of.from + thread_number(); v < of.to; v += thread_count())
    labels[v] = static_cast<Id>(v);
}

template <class Id>
__global__ void __launch_bounds__(block_threads)
    edges_kernel(const edge<Id>* edges, std::int64_t count, Id* labels) {
  const auto lane = static_cast<std::int64_t>(lane_id());
  for (std::int64_t first = thread_number() - lane; first < count; first += thread_count()) {
    const bool mine = first + lane < count;
    const edge<Id> e = mine ? edges[first + lane] : edge<Id>{0, 0};
    hook(labels, mine, e.u, e.v);
  }
}

}  // namespace

template <class Id>
void own_labels(const launch_site& on, vertex_span of, Id* labels) {
  launch(on, resident(on, of.size()), own_kernel<Id>, of, labels);
}

template <class Id>
void hook_edges(const launch_site& on, const edge<Id>* edges, std::int64_t count, Id* labels) {
  launch(on, resident(on, count), edges_kernel<Id>, edges, count, labels);
}

#define GOSSAMER_INSTANTIATE(Id)                                  \
  template void own_labels(const launch_site&, vertex_span, Id*); \
  template void hook_edges(const launch_site&, const edge<Id>*, std::int64_t, Id*);

GOSSAMER_INSTANTIATE(vertex32)
GOSSAMER_INSTANTIATE(vertex64)
#undef GOSSAMER_INSTANTIATE

}  // namespace gossamer::components_detail::cuda
