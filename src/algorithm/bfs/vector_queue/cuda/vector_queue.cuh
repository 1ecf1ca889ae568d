// Paper A's kernels beside GatherNeighbors (gather.cuh): UpdateLabels, ConvertVtoQ with its scan,
// and the slice by columns.
#pragma once

#include <type_traits>

#include "algorithm/bfs/vector_queue/cuda/gather.cuh"

namespace gossamer::bfs_detail::cuda {

inline constexpr int count_rounds = static_cast<int>(rows_per_count) / block_threads;

template <class Id>
__global__ void enter_source_kernel(vector_queue_view<Id> v, std::int64_t local,
                                    std::int64_t* queue) {
  const std::int64_t placed = v.owners.global(v.me, local);
  v.labels[local] = static_cast<Id>(placed);
  v.depths[local] = 0;
  v.visited[local] = 1;
  queue[0] = placed;
}

/// A block for each rows_per_count rows; counts what it leaves for the scan.
template <class Id>
__global__ void __launch_bounds__(block_threads)
    update_kernel(vector_queue_view<Id> v, std::int32_t depth) {
  int left = 0;
  for (int round = 0; round < count_rounds; ++round) {
    const std::int64_t row = blockIdx.x * rows_per_count + round * block_threads + threadIdx.x;
    bool fresh = false;
    if (row < v.rows) {
      const std::int64_t parent = v.vector[row];
      fresh = parent >= 0 && v.visited[row] == 0;
      if (fresh) {
        v.labels[row] = static_cast<Id>(parent);
        v.depths[row] = depth;
        v.visited[row] = 1;
      } else if (parent >= 0) {
        v.vector[row] = -1;
      }
    }
    left += __syncthreads_count(fresh);
  }
  if (threadIdx.x == 0) v.counts[blockIdx.x] = left;
}

/// counts[i] := sum of those before it; one block. Returns the sum of all to every thread.
__device__ inline std::int64_t scan_counts(std::int64_t* counts, std::int64_t n) {
  std::int64_t before = 0;
  for (std::int64_t begin = 0; begin < n; begin += block_threads) {
    const std::int64_t i = begin + threadIdx.x;
    const std::int64_t value = i < n ? counts[i] : 0;
    std::int64_t total = 0;
    const std::int64_t at = before + block_exclusive_sum(value, total);
    if (i < n) counts[i] = at;
    before += total;
  }
  return before;
}

template <class Id>
__global__ void __launch_bounds__(block_threads)
    scan_counts_kernel(vector_queue_view<Id> v, std::int64_t n) {
  const std::int64_t all = scan_counts(v.counts, n);
  if (threadIdx.x != 0) return;
  v.report->vertices = all;
  v.report->arcs = static_cast<long long>(v.tally->arcs);
  *v.tally = {0, 0, all};
}

/// A find, for the host: its label at its place, its row as one of the warp's bits or in the list.
/// Whole warps, whose rows are 32 in a row where `row` is that of lane 0.
static __device__ inline void pack_find(const packed_finds& finds, bool found, std::int64_t at,
                                        std::int64_t row, std::int64_t rows, std::int64_t label) {
  if (finds.bits) {
    const unsigned word = __ballot_sync(whole_warp, found);
    if (lane_id() == 0 && row < rows) finds.rows[row / 32] = word;
  } else if (found) {
    finds.rows[at] = static_cast<std::uint32_t>(row);
  }
  if (found) finds.put_label(at, label);
}

template <class Id>
__global__ void __launch_bounds__(block_threads)
    convert_kernel(vector_queue_view<Id> v, std::int64_t* queue, std::uint32_t* into) {
  std::int64_t at = v.counts[blockIdx.x];
  packed_finds finds{};
  if (into != nullptr) finds = packed_finds::in(into, v.rows, v.tally->found, v.label_bytes);
  for (int round = 0; round < count_rounds; ++round) {
    const std::int64_t row = blockIdx.x * rows_per_count + round * block_threads + threadIdx.x;
    const bool stays = row < v.rows && v.vector[row] >= 0;
    int total = 0;
    const int place = block_exclusive_sum(stays ? 1 : 0, total);
    if (stays) queue[at + place] = v.owners.global(v.me, row);
    if (into != nullptr)
      pack_find(finds, stays, at + place, row, v.rows, stays ? v.vector[row] : 0);
    at += total;
  }
}

/// `u` in place of a parent with a larger name.
template <class Id>
__device__ inline void offer_parent(Id* label, Id u, const Id* names) {
  using word = std::conditional_t<sizeof(Id) == 4, unsigned, unsigned long long>;
  const auto name = [names](Id id) { return names == nullptr ? id : names[id]; };
  for (Id now = *label; name(u) < name(now);) {
    const Id before = static_cast<Id>(
        atomicCAS(reinterpret_cast<word*>(label), static_cast<word>(now), static_cast<word>(u)));
    if (before == now) return;
    now = before;
  }
}

/// A warp a vertex, which offers itself to those rows that lie one level below it.
template <class Id>
__global__ void __launch_bounds__(block_threads)
    smallest_labels_kernel(vector_queue_view<Id> v, std::int64_t vertices,
                           const std::int32_t* all_depths, const Id* names) {
  const std::int64_t u = (static_cast<std::int64_t>(blockIdx.x) * block_threads + threadIdx.x) / 32;
  if (u >= vertices || all_depths[u] < 0) return;
  const std::int32_t below = all_depths[u] + 1;
  for (edge_offset a = v.first[u] + lane_id(); a < v.first[u + 1]; a += 32)
    if (v.depths[v.own[a]] == below) offer_parent(v.labels + v.own[a], static_cast<Id>(u), names);
}

// --- the slice by columns, once -----------------------------------------------------------------

template <class Id>
__global__ void __launch_bounds__(block_threads)
    count_columns_kernel(const Id* columns, std::int64_t arcs, unsigned long long* offsets) {
  const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * block_threads;
  for (std::int64_t a = static_cast<std::int64_t>(blockIdx.x) * block_threads + threadIdx.x;
       a < arcs; a += stride)
    atomicAdd(offsets + columns[a] + 2, 1ull);
}

/// counts[i] := sum of the i-th rows_per_count entries.
static __global__ void __launch_bounds__(block_threads)
    sum_pieces_kernel(const std::int64_t* entries, std::int64_t n, std::int64_t* counts) {
  std::int64_t mine = 0;
  for (int round = 0; round < count_rounds; ++round) {
    const std::int64_t i = blockIdx.x * rows_per_count + round * block_threads + threadIdx.x;
    if (i < n) mine += entries[i];
  }
  std::int64_t total = 0;
  block_exclusive_sum(mine, total);
  if (threadIdx.x == 0) counts[blockIdx.x] = total;
}

static __global__ void __launch_bounds__(block_threads)
    scan_pieces_kernel(std::int64_t* counts, std::int64_t n) {
  scan_counts(counts, n);
}

/// entries[i] := sum of all up to i, by what stands before each piece.
static __global__ void __launch_bounds__(block_threads)
    finish_pieces_kernel(std::int64_t* entries, std::int64_t n, const std::int64_t* counts) {
  std::int64_t before = counts[blockIdx.x];
  for (int round = 0; round < count_rounds; ++round) {
    const std::int64_t i = blockIdx.x * rows_per_count + round * block_threads + threadIdx.x;
    const std::int64_t value = i < n ? entries[i] : 0;
    std::int64_t total = 0;
    const std::int64_t at = before + block_exclusive_sum(value, total);
    if (i < n) entries[i] = at + value;
    before += total;
  }
}

/// A warp a row. The cursor of u stands at offsets[u + 1] and ends where u + 1 begins.
template <class Id>
__global__ void __launch_bounds__(block_threads)
    place_rows_kernel(graph_slice<Id> slice, unsigned long long* offsets, Id* own) {
  const std::int64_t row =
      (static_cast<std::int64_t>(blockIdx.x) * block_threads + threadIdx.x) / 32;
  if (row >= slice.rows) return;
  for (edge_offset a = slice.in_offsets[row] + lane_id(); a < slice.in_offsets[row + 1]; a += 32)
    own[atomicAdd(offsets + slice.in_columns[a] + 1, 1ull)] = static_cast<Id>(row);
}

}  // namespace gossamer::bfs_detail::cuda
