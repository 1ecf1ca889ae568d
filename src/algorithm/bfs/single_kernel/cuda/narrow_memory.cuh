// What a block of the cluster keeps in shared memory, and what blocks tell each other of it
// (narrow.cuh).
#pragma once

#include <type_traits>

#include "algorithm/bfs/single_kernel/cuda/cluster.cuh"
#include "algorithm/bfs/single_kernel/cuda/trade.cuh"

namespace gossamer::bfs_detail::cuda {

/// What a block tells its cluster at a level's end: entries of its frontier, and with several ranks
/// this.
struct narrow_count {
  static constexpr int filled_bits = 17, sum_bits = 23;
  /// Entries; and of all ranks' blocks of this number: vertices found at most, and expanded. A
  /// cluster's sums fit their bits.
  __device__ static std::uint64_t of(int filled, std::uint64_t found, std::uint64_t expanded,
                                     bool failed) {
    return static_cast<std::uint64_t>(filled) | found << filled_bits |
           expanded << (filled_bits + sum_bits) | std::uint64_t{failed} << 63;
  }
  __device__ static int filled(int entries) { return entries; }
  __device__ static int filled(std::uint64_t word) {
    return static_cast<int>(word & ((1u << filled_bits) - 1));
  }
  __device__ static std::int64_t found(std::uint64_t word) {
    return static_cast<std::int64_t>(word >> filled_bits & ((1u << sum_bits) - 1));
  }
  __device__ static std::int64_t expanded(std::uint64_t word) {
    return static_cast<std::int64_t>(word >> (filled_bits + sum_bits) & ((1u << sum_bits) - 1));
  }
  __device__ static bool failed(std::uint64_t word) { return word >> 63 != 0; }
};

template <bool Multi>
struct narrow_memory {
  using count_word = std::conditional_t<Multi, std::uint64_t, int>;
  int4 rows[2][narrow_entries];  ///< fetched; unused where rows are not packed
  found_vertex frontier[2][narrow_entries];
  count_word counts[2][most_cluster_blocks];  ///< of every block of the cluster
  int filled[2];                              ///< entries of this block
  std::uint64_t boxes[2];                     ///< where counts arrive
  trade_memory trade;
};

/// Wider than this, a level might find more than the blocks hold. A block expands half as much
/// again as its share, and with several ranks all blocks of a number may find for one.
template <class Id, bool Multi>
__device__ inline std::int64_t narrow_most(const search_view<Id>& v) {
  const std::int64_t found = v.longest > 2 ? v.longest - 1 : 1;  // the parent is not found again
  return std::int64_t{cluster::size()} * narrow_entries * (Multi ? 1 : 2) / 3 / found;
}

}  // namespace gossamer::bfs_detail::cuda
