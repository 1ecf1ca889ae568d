// What is made of a slice once, for all searches.
#pragma once

#include "algorithm/bfs/cuda/warp.cuh"
#include "algorithm/bfs/single_kernel/cuda/packed_row.cuh"
#include "algorithm/bfs/single_kernel/cuda/peers.cuh"

namespace gossamer::bfs_detail::cuda {

inline constexpr int prepare_threads = 256;

/// The class of a row's length: its logarithm.
GOSSAMER_HD inline std::uint8_t class_of(std::int64_t length) {
  std::uint8_t c = 0;
  for (; length > 0; length /= 2) ++c;
  return c;
}

/// Classes of some rank's rows; the longest of them.
static __global__ void __launch_bounds__(prepare_threads)
    classify_kernel(const edge_offset* offsets, std::int64_t rows, std::uint8_t* classes,
                    unsigned long long* longest) {
  const std::int64_t row = std::int64_t{blockIdx.x} * prepare_threads + threadIdx.x;
  unsigned long long length = 0;
  if (row < rows) {
    length = static_cast<unsigned long long>(offsets[row + 1] - offsets[row]);
    classes[row] = class_of(static_cast<std::int64_t>(length));
  }
  for (int d = 16; d > 0; d /= 2) {
    const unsigned long long other = __shfl_xor_sync(whole_warp, length, d);
    length = other > length ? other : length;
  }
  if (lane_id() == 0 && length != 0) atomicMax(longest, length);
}

/// Own rows nobody can reach, in bits.
template <class Id, bool Multi>
__global__ void __launch_bounds__(prepare_threads)
    close_kernel(search_view<Id> v, peers_view<Id> p, std::uint32_t* closed) {
  const std::int64_t row = std::int64_t{blockIdx.x} * prepare_threads + threadIdx.x;
  const bool no_arc =
      row >= v.rows || (v.in_offsets != nullptr && v.in_offsets[row + 1] == v.in_offsets[row]);
  const unsigned word = __ballot_sync(whole_warp, no_arc);
  if (lane_id() == 0 && row < v.rows) closed[word_at<Multi>(p, row / 32)] = word;
}

/// Every row's neighbour of the highest class; a warp takes 32 rows and reads them together.
template <class Id>
__global__ void __launch_bounds__(prepare_threads)
    choose_favourites_kernel(search_view<Id> v, const std::uint8_t* classes, Id* favourite) {
  const std::int64_t first =
      (std::int64_t{blockIdx.x} * (prepare_threads / 32) + threadIdx.x / 32) * 32;
  Id mine = -1;
  for (int k = 0; k < 32 && first + k < v.rows; ++k) {
    const edge_offset begin = v.in_offsets[first + k], end = v.in_offsets[first + k + 1];
    int best = -1;
    Id which = -1;
    for (edge_offset a = begin + lane_id(); a < end; a += 32) {
      const Id u = v.in_columns[a];
      const int c = classes[u];
      if (c > best) {
        best = c;
        which = u;
      }
    }
    for (int d = 16; d > 0; d /= 2) {
      const int other = __shfl_xor_sync(whole_warp, best, d);
      const Id theirs = __shfl_xor_sync(whole_warp, which, d);
      if (other > best || (other == best && theirs < which)) {
        best = other;
        which = theirs;
      }
    }
    if (static_cast<int>(lane_id()) == k) mine = end - begin == 1 ? only_favourite(which) : which;
  }
  if (first + lane_id() < v.rows) favourite[first + lane_id()] = mine;
}

/// `near`: rows have the numbers of their vertices.
template <class Id>
__global__ void __launch_bounds__(prepare_threads)
    pack_rows_kernel(search_view<Id> v, bool near, int4* packed) {
  const std::int64_t row = std::int64_t{blockIdx.x} * prepare_threads + threadIdx.x;
  if (row >= v.rows) return;
  const edge_offset begin = v.offsets[row], n = v.offsets[row + 1] - begin;
  const auto at = [&](int k) { return k < n ? static_cast<int>(v.columns[begin + k]) : -1; };
  int4 entry;
  if (n <= 4)
    entry = {at(0), at(1), at(2), at(3)};
  else if (!near || n > near_arcs || !pack_near(row, static_cast<int>(n), at, entry))
    entry = row_elsewhere(begin, static_cast<int>(n));
  packed[row] = entry;
}

}  // namespace gossamer::bfs_detail::cuda
