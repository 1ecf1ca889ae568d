// Launches of the kernels of a round. Arcs of the forest are listed by CUB's selection.
#include "algorithm/spanning_forest/sync/cuda/launch.hpp"

#include <cuda_runtime.h>
#include <thrust/iterator/counting_iterator.h>

#include <cub/device/device_select.cuh>

#include "algorithm/cuda/launch.cuh"
#include "algorithm/spanning_forest/sync/cuda/round_steps.cuh"
#include "gossamer/machine/kernels.cuh"

namespace gossamer::spanning_forest_detail::cuda {

namespace {

template <class Id, bool Packed>
using steps = round_steps<gpu_sizes, Id, Packed>;

template <class Id>
__global__ void __launch_bounds__(gpu_sizes::threads)
    begin_kernel(const __grid_constant__ round_view<Id> of) {
  steps<Id, true>(of).begin();
}
template <class Id>
__global__ void __launch_bounds__(gpu_sizes::threads)
    shorten_kernel(const __grid_constant__ round_view<Id> of) {
  steps<Id, true>(of).shorten();
}
template <class Id, bool Packed>
__global__ void __launch_bounds__(gpu_sizes::threads)
    offer_kernel(const __grid_constant__ round_view<Id> of, edge_list<Id, Packed> edges) {
  steps<Id, Packed>(of).offer(edges);
}
template <class Id, bool Packed>
__global__ void __launch_bounds__(gpu_sizes::threads)
    offer_arcs_kernel(const __grid_constant__ round_view<Id> of, edge_list<Id, Packed> edges) {
  steps<Id, Packed>(of).offer_arcs(edges);
}
template <class Id, bool Packed>
__global__ void __launch_bounds__(gpu_sizes::threads)
    choose_kernel(const __grid_constant__ round_view<Id> of, edge_list<Id, Packed> edges) {
  steps<Id, Packed>(of).choose(edges);
}
template <class Id, bool Packed>
__global__ void __launch_bounds__(gpu_sizes::threads)
    drop_kernel(const __grid_constant__ round_view<Id> of, edge_list<Id, Packed> edges,
                edge<Id, Packed>* to) {
  __shared__ append_memory mine;
  steps<Id, Packed>(of).drop(edges, to, mine);
}
template <class Id, bool Packed>
__global__ void __launch_bounds__(gpu_sizes::threads)
    take_first_kernel(const __grid_constant__ round_view<Id> of, edge_list<Id, Packed> edges,
                      last_edge last, edge<Id, Packed>* to) {
  __shared__ append_memory mine;
  steps<Id, Packed>(of).take_first(edges, last, to, mine);
}

cudaStream_t stream_of(const launch_site& on) {
  return static_cast<cudaStream_t>(on.stream);
}
/// As many as the rank's part of the GPU holds at once, where there is enough to do.
unsigned blocks_of(const launch_site& on, std::int64_t n) {
  constexpr unsigned resident = 2048 / gpu_sizes::threads;
  return std::min(
      algorithm_detail::cuda::blocks_for(n, gpu_sizes::threads * std::int64_t{gpu_sizes::at_once}),
      static_cast<unsigned>(on.units) * resident);
}

struct is_chosen {
  const unsigned* chosen;
  __device__ bool operator()(std::int64_t arc) const {
    return (chosen[arc / 32] >> (arc % 32) & 1U) != 0;
  }
};

void select(void* work, std::size_t& bytes, const unsigned* chosen, std::int64_t arcs,
            std::int64_t* to, std::int64_t* count, cudaStream_t on) {
  GOSSAMER_CHECK_CUDA(cub::DeviceSelect::If(work, bytes, thrust::counting_iterator<std::int64_t>(0),
                                            to, count, arcs, is_chosen{chosen}, on));
}

}  // namespace

template <class Id>
void begin(const launch_site& on, const round_view<Id>& of) {
  begin_kernel<<<blocks_of(on, of.vertices), gpu_sizes::threads, 0, stream_of(on)>>>(of);
  algorithm_detail::cuda::launched();
}

template <class Id>
void shorten(const launch_site& on, const round_view<Id>& of) {
  shorten_kernel<<<blocks_of(on, of.vertices), gpu_sizes::threads, 0, stream_of(on)>>>(of);
  algorithm_detail::cuda::launched();
}

#define GOSSAMER_STEP(name)                                                                        \
  template <class Id, bool Packed>                                                                 \
  void name(const launch_site& on, const round_view<Id>& of, const edge_list<Id, Packed>& edges) { \
    name##_kernel<Id, Packed>                                                                      \
        <<<blocks_of(on, edges.count), gpu_sizes::threads, 0, stream_of(on)>>>(of, edges);         \
    algorithm_detail::cuda::launched();                                                            \
  }
GOSSAMER_STEP(offer)
GOSSAMER_STEP(offer_arcs)
GOSSAMER_STEP(choose)
#undef GOSSAMER_STEP

template <class Id, bool Packed>
void drop(const launch_site& on, const round_view<Id>& of, const edge_list<Id, Packed>& edges,
          edge<Id, Packed>* to) {
  drop_kernel<Id, Packed>
      <<<blocks_of(on, edges.count), gpu_sizes::threads, 0, stream_of(on)>>>(of, edges, to);
  algorithm_detail::cuda::launched();
}

template <class Id, bool Packed>
void take_first(const launch_site& on, const round_view<Id>& of, const edge_list<Id, Packed>& edges,
                const last_edge& last, edge<Id, Packed>* to) {
  take_first_kernel<Id, Packed>
      <<<blocks_of(on, edges.count), gpu_sizes::threads, 0, stream_of(on)>>>(of, edges, last, to);
  algorithm_detail::cuda::launched();
}

std::int64_t collect_bytes(std::int64_t arcs) {
  std::size_t bytes = 0;
  select(nullptr, bytes, nullptr, arcs, nullptr, nullptr, nullptr);
  return static_cast<std::int64_t>(bytes);
}

void collect(const launch_site& on, const unsigned* chosen, std::int64_t arcs, std::int64_t* to,
             std::int64_t* count, void* work, std::int64_t work_bytes) {
  auto bytes = static_cast<std::size_t>(work_bytes);
  select(work, bytes, chosen, arcs, to, count, stream_of(on));
}

#define GOSSAMER_STEPS(Id, Packed)                                                               \
  template void offer(const launch_site&, const round_view<Id>&, const edge_list<Id, Packed>&);  \
  template void offer_arcs(const launch_site&, const round_view<Id>&,                            \
                           const edge_list<Id, Packed>&);                                        \
  template void choose(const launch_site&, const round_view<Id>&, const edge_list<Id, Packed>&); \
  template void drop(const launch_site&, const round_view<Id>&, const edge_list<Id, Packed>&,    \
                     edge<Id, Packed>*);                                                         \
  template void take_first(const launch_site&, const round_view<Id>&,                            \
                           const edge_list<Id, Packed>&, const last_edge&, edge<Id, Packed>*);
#define GOSSAMER_INSTANTIATE(Id)                                    \
  template void begin(const launch_site&, const round_view<Id>&);   \
  template void shorten(const launch_site&, const round_view<Id>&); \
  GOSSAMER_STEPS(Id, true)                                          \
  GOSSAMER_STEPS(Id, false)
GOSSAMER_INSTANTIATE(vertex32)
GOSSAMER_INSTANTIATE(vertex64)
#undef GOSSAMER_INSTANTIATE
#undef GOSSAMER_STEPS

}  // namespace gossamer::spanning_forest_detail::cuda
