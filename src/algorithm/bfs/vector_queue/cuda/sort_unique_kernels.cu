// Launches and kernels of the sort, and of what reads sorted pairs in place of Vector.
#include <cub/device/device_radix_sort.cuh>

#include "algorithm/bfs/cuda/launch_check.cuh"
#include "algorithm/bfs/vector_queue/cuda/sort_unique.hpp"
#include "algorithm/bfs/vector_queue/cuda/vector_queue.cuh"

namespace gossamer::bfs_detail::cuda {

namespace {

/// A block for each rows_per_count pairs. The first pair of a row is the only one to look at it.
template <class Id>
__global__ void __launch_bounds__(block_threads)
    update_sorted_kernel(vector_queue_view<Id> v, std::int64_t n, std::int32_t depth) {
  int left = 0;
  for (int round = 0; round < count_rounds; ++round) {
    const std::int64_t i = blockIdx.x * rows_per_count + round * block_threads + threadIdx.x;
    bool fresh = false;
    if (i < n) {
      const std::int64_t row = v.keys[i];
      fresh = (i == 0 || v.keys[i - 1] != row) && v.visited[row] == 0;
      if (fresh) {
        v.labels[row] = static_cast<Id>(v.values[i]);
        v.depths[row] = depth;
        v.visited[row] = 1;
      } else {
        v.values[i] = -1;
      }
    }
    left += __syncthreads_count(fresh);
  }
  if (threadIdx.x == 0) v.counts[blockIdx.x] = left;
}

/// Bits of finds are set one by one: their words were cleared.
template <class Id>
__global__ void __launch_bounds__(block_threads)
    convert_sorted_kernel(vector_queue_view<Id> v, std::int64_t n, std::int64_t* queue,
                          std::uint32_t* into) {
  std::int64_t at = v.counts[blockIdx.x];
  packed_finds finds{};
  if (into != nullptr) finds = packed_finds::in(into, v.rows, v.tally->found, v.label_bytes);
  for (int round = 0; round < count_rounds; ++round) {
    const std::int64_t i = blockIdx.x * rows_per_count + round * block_threads + threadIdx.x;
    const bool stays = i < n && v.values[i] >= 0;
    int total = 0;
    const int place = block_exclusive_sum(stays ? 1 : 0, total);
    if (stays) {
      const std::int64_t row = v.keys[i];
      queue[at + place] = v.owners.global(v.me, row);
      if (into != nullptr) {
        finds.put_label(at + place, v.values[i]);
        if (finds.bits)
          atomicOr(finds.rows + row / 32, 1u << (row % 32));
        else
          finds.rows[at + place] = static_cast<std::uint32_t>(row);
      }
    }
    at += total;
  }
}

template <class Id>
__global__ void __launch_bounds__(block_threads)
    clear_finds_kernel(vector_queue_view<Id> v, std::uint32_t* into) {
  const auto finds = packed_finds::in(into, v.rows, v.tally->found, v.label_bytes);
  const std::int64_t w = static_cast<std::int64_t>(blockIdx.x) * block_threads + threadIdx.x;
  if (finds.bits && w < (v.rows + 31) / 32) finds.rows[w] = 0;
}

}  // namespace

template <class Id>
void append_neighbours(const launch_site& on, const vector_queue_view<Id>& v,
                       const std::int64_t* queue, std::int64_t n) {
  gather_kernel<true, Id>
      <<<blocks_for(n, block_threads), block_threads, 0, stream_of(on)>>>(v, queue, n);
  launched();
}

std::size_t sort_bytes(std::int64_t n, int bits) {
  std::size_t bytes = 0;
  cub::DoubleBuffer<std::int64_t> none(nullptr, nullptr);
  GOSSAMER_CHECK_CUDA(cub::DeviceRadixSort::SortPairs(nullptr, bytes, none, none, n, 0, bits));
  return bytes;
}

bool sort_neighbours(const launch_site& on, void* work, std::size_t bytes, std::int64_t* keys,
                     std::int64_t* values, std::int64_t* other_keys, std::int64_t* other_values,
                     std::int64_t n, int bits) {
  cub::DoubleBuffer<std::int64_t> k(keys, other_keys), v(values, other_values);
  GOSSAMER_CHECK_CUDA(
      cub::DeviceRadixSort::SortPairs(work, bytes, k, v, n, 0, bits, stream_of(on)));
  return k.selector != 0;
}

template <class Id>
void update_sorted(const launch_site& on, const vector_queue_view<Id>& v, std::int64_t n,
                   std::int32_t depth) {
  update_sorted_kernel<Id>
      <<<blocks_for(n, rows_per_count), block_threads, 0, stream_of(on)>>>(v, n, depth);
  launched();
}

template <class Id>
void sorted_to_queue(const launch_site& on, const vector_queue_view<Id>& v, std::int64_t n,
                     std::int64_t* queue, std::uint32_t* finds) {
  const cudaStream_t stream = stream_of(on);
  const std::int64_t pieces = n == 0 ? 0 : blocks_for(n, rows_per_count);
  scan_counts_kernel<Id><<<1, block_threads, 0, stream>>>(v, pieces);
  launched();
  if (n == 0) return;
  if (finds != nullptr) {
    clear_finds_kernel<Id>
        <<<blocks_for((v.rows + 31) / 32, block_threads), block_threads, 0, stream>>>(v, finds);
    launched();
  }
  convert_sorted_kernel<Id>
      <<<static_cast<unsigned>(pieces), block_threads, 0, stream>>>(v, n, queue, finds);
  launched();
}

#define GOSSAMER_INSTANTIATE(Id)                                                                \
  template void append_neighbours(const launch_site&, const vector_queue_view<Id>&,             \
                                  const std::int64_t*, std::int64_t);                           \
  template void update_sorted(const launch_site&, const vector_queue_view<Id>&, std::int64_t,   \
                              std::int32_t);                                                    \
  template void sorted_to_queue(const launch_site&, const vector_queue_view<Id>&, std::int64_t, \
                                std::int64_t*, std::uint32_t*);
GOSSAMER_INSTANTIATE(vertex32)
GOSSAMER_INSTANTIATE(vertex64)
#undef GOSSAMER_INSTANTIATE

}  // namespace gossamer::bfs_detail::cuda
