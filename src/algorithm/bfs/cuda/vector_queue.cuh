// Paper A's four kernels: GatherNeighbors with Merrill's switch of granularity, UpdateLabels, and
// ConvertVtoQ with its scan.
#pragma once

#include "algorithm/bfs/cuda/vector_queue.hpp"
#include "algorithm/bfs/cuda/warp.cuh"

namespace gossamer::bfs_detail::cuda {

/// Arcs that a block gathers at a time from rows too short for a warp.
inline constexpr int gather_slots = 2 * block_threads;
inline constexpr int count_rounds = static_cast<int>(rows_per_count) / block_threads;

/// Sum of `value` over the threads before this one; `total` over all. All threads of the block.
template <class T>
__device__ inline T block_exclusive_sum(T value, T& total) {
  __shared__ T of_warp[block_warps];
  const T up_to = inclusive_sum(value);
  if (lane_id() == 31) of_warp[threadIdx.x / 32] = up_to;
  __syncthreads();
  T before = 0;
  total = 0;
  for (int w = 0; w < block_warps; ++w) {
    if (w < static_cast<int>(threadIdx.x / 32)) before += of_warp[w];
    total += of_warp[w];
  }
  __syncthreads();
  return before + up_to - value;
}

template <class Id>
__global__ void enter_source_kernel(vector_queue_view<Id> v, std::int64_t local,
                                    std::int64_t* queue) {
  const std::int64_t placed = v.owners.global(v.me, local);
  v.labels[local] = static_cast<Id>(placed);
  v.depths[local] = 0;
  v.visited[local] = 1;
  queue[0] = placed;
}

/// A queue entry on its way through the block: what is left of its row.
struct row_left {
  std::int64_t u;
  edge_offset at, end;
};

/// Rows of a block's width and more: threads that have one compete for the whole block.
template <class Id>
__device__ inline void gather_by_block(const vector_queue_view<Id>& v, row_left& mine) {
  __shared__ int leader;
  __shared__ row_left row;
  while (__syncthreads_or(mine.end - mine.at >= block_threads)) {
    if (mine.end - mine.at >= block_threads) leader = static_cast<int>(threadIdx.x);
    __syncthreads();
    if (leader == static_cast<int>(threadIdx.x)) {
      row = mine;
      mine.at = mine.end;
    }
    __syncthreads();
    for (edge_offset a = row.at + threadIdx.x; a < row.end; a += block_threads)
      v.vector[v.own[a]] = row.u;
  }
}

/// Rows of a warp's width and more: one after the other, all lanes.
template <class Id>
__device__ inline void gather_by_warp(const vector_queue_view<Id>& v, row_left& mine) {
  const bool wide = mine.end - mine.at >= 32;
  for (unsigned left = __ballot_sync(whole_warp, wide); left != 0; left &= left - 1) {
    const int who = __ffs(static_cast<int>(left)) - 1;
    const std::int64_t u = __shfl_sync(whole_warp, mine.u, who);
    const edge_offset at = __shfl_sync(whole_warp, mine.at, who);
    const edge_offset end = __shfl_sync(whole_warp, mine.end, who);
    for (edge_offset a = at + lane_id(); a < end; a += 32) v.vector[v.own[a]] = u;
  }
  if (wide) mine.at = mine.end;
}

/// The rest: a scan of what the threads have left shares it out evenly.
template <class Id>
__device__ inline void gather_by_scan(const vector_queue_view<Id>& v, const row_left& mine) {
  __shared__ edge_offset arc_of[gather_slots];
  __shared__ std::int64_t source_of[gather_slots];
  const int length = static_cast<int>(mine.end - mine.at);
  int total = 0, done = 0;
  const int first = block_exclusive_sum(length, total);
  for (int begin = 0; begin < total; begin += gather_slots) {
    for (; done < length && first + done < begin + gather_slots; ++done) {
      arc_of[first + done - begin] = mine.at + done;
      source_of[first + done - begin] = mine.u;
    }
    __syncthreads();
    const int here = total - begin < gather_slots ? total - begin : gather_slots;
    for (int k = static_cast<int>(threadIdx.x); k < here; k += block_threads)
      v.vector[v.own[arc_of[k]]] = source_of[k];
    __syncthreads();
  }
}

/// One thread a queue entry. Several may store into one place of Vector: a store of 8 bytes is
/// whole, and any of the parents will do.
template <class Id>
__global__ void __launch_bounds__(block_threads)
    gather_kernel(vector_queue_view<Id> v, const std::int64_t* queue, std::int64_t n) {
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * block_threads + threadIdx.x;
  row_left mine{0, 0, 0};
  if (i < n) {
    mine.u = queue[i];
    mine.at = v.first[mine.u];
    mine.end = v.first[mine.u + 1];
  }
  add_of_warp(v.arcs, static_cast<unsigned long long>(mine.end - mine.at));
  gather_by_block(v, mine);
  gather_by_warp(v, mine);
  gather_by_scan(v, mine);
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
  v.report->arcs = static_cast<long long>(*v.arcs);
  *v.arcs = 0;
}

template <class Id>
__global__ void __launch_bounds__(block_threads)
    convert_kernel(vector_queue_view<Id> v, std::int64_t* queue) {
  std::int64_t at = v.counts[blockIdx.x];
  for (int round = 0; round < count_rounds; ++round) {
    const std::int64_t row = blockIdx.x * rows_per_count + round * block_threads + threadIdx.x;
    const bool stays = row < v.rows && v.vector[row] >= 0;
    int total = 0;
    const int place = block_exclusive_sum(stays ? 1 : 0, total);
    if (stays) queue[at + place] = v.owners.global(v.me, row);
    at += total;
  }
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
