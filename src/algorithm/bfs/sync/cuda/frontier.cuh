// Where frontiers begin and change form: survey of a slice, source, queue <-> bitmap, and what
// other ranks' bitmaps say about vertices that need no message any more.
#pragma once

#include "algorithm/bfs/sync/cuda/bottom_up.cuh"

namespace gossamer::bfs_detail::cuda {

/// Once per engine: marks in `seen` the rows nobody can reach (no incoming arc: holes and isolated
/// vertices, half of a Kronecker graph), so that no bottom-up level looks at them, and finds the
/// longest outgoing row. One lane a row, whole words.
template <class Id, bool Multi>
__global__ void __launch_bounds__(block_threads) survey_kernel(level_view<Id> v) {
  const std::int64_t row = static_cast<std::int64_t>(blockIdx.x) * block_threads + threadIdx.x;
  bool closed = true;  // positions past the last row
  unsigned long long length = 0;
  if (row < v.rows) {
    length = static_cast<unsigned long long>(v.offsets[row + 1] - v.offsets[row]);
    closed = v.in_offsets != nullptr && v.in_offsets[row + 1] == v.in_offsets[row];
  }
  const unsigned word = __ballot_sync(whole_warp, closed);
  for (int d = 16; d > 0; d /= 2) {
    const unsigned long long other = __shfl_xor_sync(whole_warp, length, d);
    length = other > length ? other : length;
  }
  if (lane_id() != 0 || row >= v.rows) return;
  v.seen[placed_word<Multi>(v, row / 32)] = word;
  if (length != 0) atomicMax(&v.count->longest, length);
}

/// Enters the source: one block, one thread works.
template <class Id, bool Multi>
__global__ void __launch_bounds__(block_threads)
    start_kernel(level_view<Id> v, std::int32_t source, unsigned long long sequence) {
  if (threadIdx.x == 0) {
    std::int64_t placed = source;
    if constexpr (Multi) placed = v.own.global(v.me, source);
    v.seen[placed >> 5] |= 1u << (placed & 31);
    v.parents[source] = static_cast<Id>(placed);
    v.depths[source] = v.depth;
    v.next[0] = source;
    v.count->tail = 1;
    v.count->arcs =
        static_cast<unsigned long long>(v.offsets[source + std::int64_t{1}] - v.offsets[source]);
  }
  report_level(v, reporting::level, sequence);
}

/// bits[own words] = 0.
template <class Id, bool Multi>
__global__ void __launch_bounds__(block_threads)
    clear_bits_kernel(level_view<Id> v, std::uint32_t* bits) {
  const std::int64_t w = static_cast<std::int64_t>(blockIdx.x) * block_threads + threadIdx.x;
  if (w < words_of(v.rows)) bits[placed_word<Multi>(v, w)] = 0;
}

template <class Id, bool Multi>
__global__ void __launch_bounds__(block_threads)
    queue_to_bits_kernel(level_view<Id> v, const std::int32_t* queue, std::int64_t n,
                         std::uint32_t* bits) {
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * block_threads + threadIdx.x;
  if (i >= n) return;
  std::int64_t placed = queue[i];
  if constexpr (Multi) placed = v.own.global(v.me, placed);
  atomicOr(bits + (placed >> 5), 1u << (placed & 31));
}

/// One lane a word, one atomic a warp; count->gathered is zero before and the length after.
template <class Id, bool Multi>
__global__ void __launch_bounds__(block_threads)
    bits_to_queue_kernel(level_view<Id> v, const std::uint32_t* bits, std::int32_t* queue) {
  const std::int64_t w = static_cast<std::int64_t>(blockIdx.x) * block_threads + threadIdx.x;
  std::uint32_t word = w < words_of(v.rows) ? bits[placed_word<Multi>(v, w)] : 0;
  const int mine = __popc(word);
  const int up_to = inclusive_sum(mine);
  unsigned long long at = 0;
  if (lane_id() == 31 && up_to != 0) {
    at = atomicAdd(&v.count->gathered, static_cast<unsigned long long>(up_to));
  }
  at = __shfl_sync(whole_warp, at, 31) + static_cast<unsigned long long>(up_to - mine);
  for (; word != 0; word &= word - 1) {
    queue[at++] = static_cast<std::int32_t>(w * 32 + __ffs(static_cast<int>(word)) - 1);
  }
}

/// seen |= bits, all placed words: vertices reached elsewhere are not sent a message later.
template <class Id>
__global__ void __launch_bounds__(block_threads)
    note_reached_kernel(level_view<Id> v, const std::uint32_t* bits, std::int64_t words) {
  const std::int64_t w = static_cast<std::int64_t>(blockIdx.x) * block_threads + threadIdx.x;
  if (w >= words) return;
  const std::uint32_t word = bits[w];
  if (word != 0) v.seen[w] |= word;
}

}  // namespace gossamer::bfs_detail::cuda
