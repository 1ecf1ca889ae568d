// A few lanes look at a row together: most rows are short, and most are left at their first arcs.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include <limits>

#include "algorithm/cuda/launch.cuh"
#include "algorithm/sssp/async/cuda/keys.cuh"
#include "algorithm/sssp/instances.hpp"
#include "algorithm/sssp/parents/cuda/parents.hpp"

namespace gossamer::sssp_detail::cuda {

namespace {

namespace cg = cooperative_groups;

constexpr int lanes = 8, parents_threads = 256;
constexpr std::int32_t none = std::numeric_limits<std::int32_t>::max(), left_over = -2;

/// The smallest id among v's neighbours that `suits(id, key of it)` and whose arc is tight; none.
template <class Distance, class Tile, class Suits>
__device__ std::int32_t smallest_tight(const Tile& tile, const parents_view<Distance>& p,
                                       std::int64_t v, key_of<Distance> mine,
                                       bool first_is_smallest, const Suits& suits) {
  std::int32_t best = none;
  const edge_offset end = p.offsets[v + 1];
  for (edge_offset base = p.offsets[v]; base < end; base += lanes) {
    const edge_offset k = base + tile.thread_rank();
    if (k < end) {
      const packed_arc<Distance> arc = load_arc(p.arcs + k);
      const key_of<Distance> theirs = p.keys[arc.to];
      if (suits(arc.to, theirs) && keys<Distance>::along(theirs, arc.weight) == mine)
        best = min(best, arc.to);
    }
    if (first_is_smallest && tile.any(best != none)) break;
  }
  return cg::reduce(tile, best, cg::less<std::int32_t>());
}

template <class Distance>
__global__ void __launch_bounds__(parents_threads) find_kernel(parents_view<Distance> p) {
  const auto tile = cg::tiled_partition<lanes>(cg::this_thread_block());
  const std::int64_t tiles = std::int64_t{gridDim.x} * (parents_threads / lanes);
  unsigned long long pending = 0;
  for (std::int64_t v = std::int64_t{blockIdx.x} * (parents_threads / lanes) + threadIdx.x / lanes;
       v < p.rows; v += tiles) {
    const key_of<Distance> mine = p.keys[v];
    std::int32_t parent = -1;
    if (v == p.source) {
      parent = static_cast<std::int32_t>(v);
    } else if (mine != keys<Distance>::unreached) {
      parent =
          smallest_tight(tile, p, v, mine, p.sorted,
                         [mine](std::int32_t, key_of<Distance> theirs) { return theirs < mine; });
      if (parent == none) parent = left_over;
    }
    if (tile.thread_rank() != 0) continue;
    p.parents[v] = parent;
    pending += parent == left_over;
  }
  if (pending > 0) atomicAdd(p.pending, pending);
}

/// Looks at parents of earlier levels alone: what this one finds is entered by the next kernel.
template <class Distance>
__global__ void __launch_bounds__(parents_threads) look_kernel(parents_view<Distance> p) {
  const auto tile = cg::tiled_partition<lanes>(cg::this_thread_block());
  const std::int64_t tiles = std::int64_t{gridDim.x} * (parents_threads / lanes);
  for (std::int64_t v = std::int64_t{blockIdx.x} * (parents_threads / lanes) + threadIdx.x / lanes;
       v < p.rows; v += tiles) {
    if (p.parents[v] != left_over) continue;
    const key_of<Distance> mine = p.keys[v];
    const std::int32_t best = smallest_tight(tile, p, v, mine, p.sorted,
                                             [&p, mine](std::int32_t u, key_of<Distance> theirs) {
                                               return theirs == mine && p.parents[u] >= 0;
                                             });
    if (tile.thread_rank() == 0) p.found[v] = best;
  }
}

template <class Distance>
__global__ void __launch_bounds__(parents_threads) enter_kernel(parents_view<Distance> p) {
  const std::int64_t step = std::int64_t{gridDim.x} * parents_threads;
  unsigned long long settled = 0;
  for (std::int64_t v = std::int64_t{blockIdx.x} * parents_threads + threadIdx.x; v < p.rows;
       v += step) {
    if (p.parents[v] != left_over || p.found[v] == none) continue;
    p.parents[v] = p.found[v];
    ++settled;
  }
  if (settled > 0) atomicAdd(p.pending, ~settled + 1);
}

unsigned blocks_of(int units, std::int64_t rows, int each) {
  return std::min(algorithm_detail::cuda::blocks_for(rows, each), static_cast<unsigned>(8 * units));
}

}  // namespace

template <class Distance>
void find_parents_there(void* stream, int units, const parents_view<Distance>& v) {
  find_kernel<<<blocks_of(units, v.rows, parents_threads / lanes), parents_threads, 0,
                static_cast<cudaStream_t>(stream)>>>(v);
  algorithm_detail::cuda::launched();
}

template <class Distance>
void settle_level(void* stream, int units, const parents_view<Distance>& v) {
  const auto on = static_cast<cudaStream_t>(stream);
  look_kernel<<<blocks_of(units, v.rows, parents_threads / lanes), parents_threads, 0, on>>>(v);
  enter_kernel<<<blocks_of(units, v.rows, parents_threads), parents_threads, 0, on>>>(v);
  algorithm_detail::cuda::launched();
}

#define GOSSAMER_INSTANTIATE(Distance)                                         \
  template void find_parents_there(void*, int, const parents_view<Distance>&); \
  template void settle_level(void*, int, const parents_view<Distance>&);
GOSSAMER_SSSP_DISTANCES(GOSSAMER_INSTANTIATE)
#undef GOSSAMER_INSTANTIATE

}  // namespace gossamer::sssp_detail::cuda
