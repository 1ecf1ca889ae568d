// What ranks that search together see of each other: GPUs of one machine, each running the kernel.
//
// Rows and columns hold placed ids; arrays and queues of a rank hold local indices. Top-down,
// vertices of others are posted to their owners as messages, stored straight into the owner's
// inbox; bottom-up, a rank stores its words of the next frontier into everybody's bitmap. Either
// is followed by a meeting of all ranks, behind which everything stored is seen.
#pragma once

#include "algorithm/bfs/cuda/warp.cuh"
#include "algorithm/bfs/single_kernel/cuda/view.hpp"
#include "gossamer/collective/scalar_device.cuh"
#include "gossamer/placement/ownership.hpp"

namespace gossamer::bfs_detail::cuda {

template <class Id>
struct peers_view {
  ownership_view own;
  int me = 0, ranks = 1;
  std::int64_t range_first = 0, range_rows = 0;  ///< own placed ids, where they are one range
  std::int64_t source = 0;                       ///< placed id
  device_window<std::uint32_t> bits;   ///< two bitmaps over placed ids, the second behind the first
  device_window<message<Id>> inbox;    ///< a segment for each rank, of as many messages as rows
  device_window<std::uint64_t> mail;   ///< from each rank: see mail_of
  device_window<std::uint64_t> trade;  ///< [2][ranks][most_cluster_blocks][trade_entries + 1] pairs
  const std::int64_t* rows_of;         ///< [ranks]
  unsigned long long* posted;          ///< [ranks] messages written this level, zero between
  unsigned long long* sent;            ///< [2] puts and bytes since the start
  device_scalar<std::uint64_t> across;
};

/// Ranks that run narrow levels together, and what a block may send another in one of them.
inline constexpr int trade_ranks = 8;
inline constexpr int trade_entries = narrow_entries;
inline constexpr std::int64_t trade_words(std::int64_t ranks) {
  return 2 * ranks * most_cluster_blocks * (trade_entries + 1) * 2;
}

/// A word of mail: the meeting's number above, messages below.
inline constexpr int mail_bits = 40;
__device__ inline std::uint64_t mail_of(std::uint32_t meeting, std::uint64_t messages) {
  return static_cast<std::uint64_t>(meeting & 0xffffff) << mail_bits | messages;
}

/// Where the bits of 32 local rows from 32 w on lie, among words over placed ids.
template <bool Multi, class Id>
__device__ inline std::int64_t word_at(const peers_view<Id>& p, std::int64_t w) {
  if constexpr (Multi) return p.own.global(p.me, w * 32) >> 5;
  return w;
}
template <bool Multi, class Id>
__device__ inline std::int64_t placed_id(const peers_view<Id>& p, std::int64_t local) {
  if constexpr (Multi) return p.own.global(p.me, local);
  return local;
}

/// Whose a vertex is. Tables lie in device memory; most neighbours in narrow levels are in the own
/// range, where there is one.
struct row_place {
  int owner = 0;
  std::int32_t row = 0;
};
template <class Id>
__device__ inline row_place place_of(const peers_view<Id>& p, int placed) {
  const auto row = static_cast<std::int32_t>(placed - p.range_first);
  if (placed >= p.range_first && row < p.range_rows) return {p.me, row};
  return {p.own.owner(placed), static_cast<std::int32_t>(p.own.local(placed))};
}
template <class Id>
__device__ inline int placed_id_of(const peers_view<Id>& p, std::int32_t row) {
  if (p.range_rows != 0) return static_cast<int>(p.range_first) + row;
  return static_cast<int>(p.own.global(p.me, row));
}

/// Puts (target, parent) into the inbox of the target's owner, for lanes with `remote`; one atomic
/// a warp and owner. A segment cannot overflow: a vertex of another rank is posted once. Whole
/// warps.
template <class Id>
__device__ inline void post(const peers_view<Id>& p, bool remote, int owner, std::int32_t target,
                            Id parent) {
  by_owner(p.posted, remote, owner, [&](int to, std::int64_t at) {
    p.inbox.at(to)[p.me * p.rows_of[to] + at] = {target, parent};
  });
}

/// Stores this lane's word of bitmap `which` in every rank's memory. Whole warps store lines.
template <class Id>
__device__ inline void spread(const peers_view<Id>& p, std::int64_t words, int which,
                              std::int64_t at, std::uint32_t word) {
  for (int k = 1; k < p.ranks; ++k) p.bits.at((p.me + k) % p.ranks)[which * words + at] = word;
}

}  // namespace gossamer::bfs_detail::cuda
