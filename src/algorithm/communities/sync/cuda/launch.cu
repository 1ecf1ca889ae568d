// Launches of the kernels of communities. Names are CUB's sums; arcs of a smaller graph are sorted
// and added up by CUB.
#include "algorithm/communities/sync/cuda/launch.hpp"

#include <cuda_runtime.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <algorithm>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>

#include "algorithm/communities/sync/cuda/level_steps.cuh"
#include "algorithm/communities/sync/cuda/rounds.cuh"
#include "algorithm/cuda/launch.cuh"
#include "gossamer/machine/kernels.cuh"

namespace gossamer::communities_detail::cuda {

namespace {

/// Blocks of a step are smaller than those of rounds: they wait for nobody.
struct step_sizes : gpu_sizes {
  static constexpr unsigned threads = 256;
};
template <class Id, class Sum>
using steps = level_steps<step_sizes, Id, Sum>;
template <class Id, class Sum>
using memory = block_memory<gpu_sizes, Id, Sum>;

/// Resident together on a multiprocessor.
constexpr int move_blocks = 2;

template <class Id, class Sum>
__global__ void __launch_bounds__(gpu_sizes::threads, move_blocks)
    move_kernel(const __grid_constant__ move_view<Id, Sum> of) {
  extern __shared__ unsigned long long dynamic_memory[];
  rounds<gpu_sizes, Id, Sum, move_rule>(of, *reinterpret_cast<memory<Id, Sum>*>(dynamic_memory))
      .move();
}
template <class Id, class Sum>
__global__ void __launch_bounds__(gpu_sizes::threads, move_blocks)
    refine_kernel(const __grid_constant__ move_view<Id, Sum> of) {
  extern __shared__ unsigned long long dynamic_memory[];
  rounds<gpu_sizes, Id, Sum, part_rule>(of, *reinterpret_cast<memory<Id, Sum>*>(dynamic_memory))
      .refine();
}
template <auto Step, class Id, class Sum, class... Arguments>
__global__ void __launch_bounds__(step_sizes::threads)
    step_kernel(const __grid_constant__ level_view<Id, Sum> of, Arguments... arguments) {
  steps<Id, Sum> s(of);
  (s.*Step)(arguments...);
}
template <class Id, class Sum>
__global__ void __launch_bounds__(step_sizes::threads)
    list_arcs_kernel(const __grid_constant__ level_view<Id, Sum> of, const Id* label,
                     arc_list<Sum> to) {
  __shared__ append_memory mine;
  steps<Id, Sum>(of).list_arcs(label, to, mine);
}

cudaStream_t stream_of(const launch_site& on) {
  return static_cast<cudaStream_t>(on.stream);
}
/// As many as the rank's part of the GPU holds at once, where there is enough to do.
unsigned blocks_of(const launch_site& on, std::int64_t n) {
  return std::min(algorithm_detail::cuda::blocks_for(n, step_sizes::threads),
                  static_cast<unsigned>(on.units) * (2048 / step_sizes::threads));
}
/// Fewer blocks meet sooner.
template <class Id, class Sum>
unsigned moving_blocks(const launch_site& on, const level_view<Id, Sum>& of) {
  return std::min(algorithm_detail::cuda::blocks_for(of.vertices + of.arcs, 4 * gpu_sizes::threads),
                  static_cast<unsigned>(on.units) * static_cast<unsigned>(on.resident));
}

template <auto Step, class Id, class Sum, class... Arguments>
void run_step(const launch_site& on, const level_view<Id, Sum>& of, std::int64_t n,
              Arguments... arguments) {
  step_kernel<Step, Id, Sum>
      <<<blocks_of(on, n), step_sizes::threads, 0, stream_of(on)>>>(of, arguments...);
  algorithm_detail::cuda::launched();
}

template <class Id>
struct has_vertices {
  const Id* sizes;
  std::int64_t count;
  __device__ Id operator()(std::int64_t c) const { return c < count && sizes[c] > 0 ? 1 : 0; }
};

template <class Id>
void add_names(void* work, std::size_t& bytes, const Id* sizes, std::int64_t n, Id* name,
               cudaStream_t on) {
  const auto flags = thrust::make_transform_iterator(thrust::counting_iterator<std::int64_t>(0),
                                                     has_vertices<Id>{sizes, n});
  GOSSAMER_CHECK_CUDA(cub::DeviceScan::ExclusiveSum(work, bytes, flags, name, n + 1, on));
}
template <class Sum>
void sort_arcs(void* work, std::size_t& bytes, cub::DoubleBuffer<unsigned long long>& ends,
               cub::DoubleBuffer<Sum>* weights, std::int64_t n, int bits, cudaStream_t on) {
  GOSSAMER_CHECK_CUDA(
      weights == nullptr
          ? cub::DeviceRadixSort::SortKeys(work, bytes, ends, n, 0, bits, on)
          : cub::DeviceRadixSort::SortPairs(work, bytes, ends, *weights, n, 0, bits, on));
}
template <class Values, class Sum>
void add_arcs(void* work, std::size_t& bytes, const unsigned long long* ends,
              unsigned long long* merged, Values values, Sum* weights, unsigned long long* count,
              std::int64_t n, cudaStream_t on) {
  GOSSAMER_CHECK_CUDA(cub::DeviceReduce::ReduceByKey(work, bytes, ends, merged, values, weights,
                                                     count, ::cuda::std::plus<Sum>{}, n, on));
}

}  // namespace

}  // namespace gossamer::communities_detail::cuda

#include "algorithm/communities/sync/cuda/launches.cuh"

namespace gossamer::communities_detail::cuda {

template <class Id, class Sum>
std::int64_t needs<Id, Sum>::pieces(std::int64_t arcs) {
  return most_pieces<gpu_sizes, Id, Sum>(arcs);
}

template <class Id, class Sum>
std::int64_t needs<Id, Sum>::work_bytes(std::int64_t vertices, std::int64_t arcs) {
  std::size_t naming = 0, sorting = 0, sorting_bare = 0, adding = 0;
  const std::int64_t n = std::max<std::int64_t>(1, arcs);
  add_names<Id>(nullptr, naming, nullptr, vertices, nullptr, nullptr);
  cub::DoubleBuffer<unsigned long long> ends(nullptr, nullptr);
  cub::DoubleBuffer<Sum> weights(nullptr, nullptr);
  sort_arcs<Sum>(nullptr, sorting, ends, &weights, n, 64, nullptr);
  sort_arcs<Sum>(nullptr, sorting_bare, ends, nullptr, n, 64, nullptr);
  add_arcs<const Sum*, Sum>(nullptr, adding, nullptr, nullptr, nullptr, nullptr, nullptr, n,
                            nullptr);
  return static_cast<std::int64_t>(std::max({naming, sorting, sorting_bare, adding}));
}

template <class Id, class Sum>
int launches<Id, Sum>::prepare() {
  constexpr int bytes = sizeof(memory<Id, Sum>), of_system = 1024;
  int device = 0, most = 1, least = move_blocks;
  GOSSAMER_CHECK_CUDA(cudaGetDevice(&device));
  GOSSAMER_CHECK_CUDA(
      cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerMultiprocessor, device));
  // As much shared memory as all blocks need; the rest is a cache.
  const int percent = std::min(100, (move_blocks * (bytes + of_system) * 100 + most - 1) / most);
  for (auto* const kernel : {move_kernel<Id, Sum>, refine_kernel<Id, Sum>}) {
    GOSSAMER_CHECK_CUDA(
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    GOSSAMER_CHECK_CUDA(
        cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout, percent));
    int blocks = 0;
    GOSSAMER_CHECK_CUDA(
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, gpu_sizes::threads, bytes));
    least = std::min(least, blocks);
  }
  return std::max(1, least);
}

template <class Id, class Sum>
void launches<Id, Sum>::move(const move_view<Id, Sum>& of) const {
  move_kernel<<<moving_blocks(on, of.level), gpu_sizes::threads, sizeof(memory<Id, Sum>),
                stream_of(on)>>>(of);
  algorithm_detail::cuda::launched();
}

template <class Id, class Sum>
void launches<Id, Sum>::refine(const move_view<Id, Sum>& of) const {
  refine_kernel<<<moving_blocks(on, of.level), gpu_sizes::threads, sizeof(memory<Id, Sum>),
                  stream_of(on)>>>(of);
  algorithm_detail::cuda::launched();
}

template <class Id, class Sum>
void launches<Id, Sum>::number(const level& of, const Id* sizes, Id* name) const {
  auto bytes = static_cast<std::size_t>(work_bytes);
  add_names(work, bytes, sizes, of.vertices, name, stream_of(on));
}

template <class Id, class Sum>
void launches<Id, Sum>::list_arcs(const level& of, const Id* label, const arc_list<Sum>& to) const {
  list_arcs_kernel<<<blocks_of(on, (of.arcs + step_sizes::at_once - 1) / step_sizes::at_once),
                     step_sizes::threads, 0, stream_of(on)>>>(of, label, to);
  algorithm_detail::cuda::launched();
}

template <class Id, class Sum>
unsigned long long* launches<Id, Sum>::merge_arcs(const arc_list<Sum>& of, std::int64_t arcs,
                                                  std::int64_t room, Sum* weights) const {
  const int bits = static_cast<int>(2 * of.bits);
  auto bytes = static_cast<std::size_t>(work_bytes);
  cub::DoubleBuffer<unsigned long long> ends(of.ends, of.ends + room);
  if (of.weights == nullptr) {
    sort_arcs<Sum>(work, bytes, ends, nullptr, arcs, bits, stream_of(on));
    bytes = static_cast<std::size_t>(work_bytes);
    add_arcs(work, bytes, ends.Current(), ends.Alternate(), thrust::constant_iterator<Sum>(1),
             weights, of.count, arcs, stream_of(on));
  } else {
    cub::DoubleBuffer<Sum> values(of.weights, of.weights + room);
    sort_arcs(work, bytes, ends, &values, arcs, bits, stream_of(on));
    bytes = static_cast<std::size_t>(work_bytes);
    add_arcs(work, bytes, ends.Current(), ends.Alternate(),
             static_cast<const Sum*>(values.Current()), weights, of.count, arcs, stream_of(on));
  }
  return ends.Alternate();
}

#define GOSSAMER_INSTANTIATE(Id, Sum) \
  template struct needs<Id, Sum>;     \
  template struct launches<Id, Sum>;
GOSSAMER_INSTANTIATE(vertex32, std::uint32_t)
GOSSAMER_INSTANTIATE(vertex32, std::int64_t)
GOSSAMER_INSTANTIATE(vertex64, std::uint32_t)
GOSSAMER_INSTANTIATE(vertex64, std::int64_t)
#undef GOSSAMER_INSTANTIATE

}  // namespace gossamer::communities_detail::cuda
