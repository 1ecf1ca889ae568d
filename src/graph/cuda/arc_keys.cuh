// Arcs as 64-bit keys on a GPU, row << id_bits | column: sorted, without repeated ones, and turned
// into rows again.
#pragma once

#include <cub/cub.cuh>

#include <algorithm>
#include <cstdint>

#include "gossamer/base/check_cuda.hpp"
#include "gossamer/graph/csr.hpp"
#include "gossamer/machine/memory.hpp"

namespace gossamer::detail {

using key_type = unsigned long long;

inline constexpr int block_threads = 256;

inline unsigned blocks_for(std::int64_t items) {
  return static_cast<unsigned>((items + block_threads - 1) / block_threads);
}

/// Bits that hold every number below `n`.
inline int bits_for(std::int64_t n) {
  int bits = 1;
  while (bits < 62 && (std::int64_t{1} << bits) < n) ++bits;
  return bits;
}

/// The first of `count` ascending keys that is not below `goal`, found by a warp, whose lanes look
/// at 32 places at once.
static __device__ std::int64_t first_not_below(const key_type* keys, std::int64_t count,
                                               key_type goal) {
  const int lane = static_cast<int>(threadIdx.x % 32);
  std::int64_t low = 0, high = count;  // the answer is one of them or between them
  while (high - low > 32) {
    const std::int64_t step = (high - low) / 33;
    const int below = __popc(__ballot_sync(~0u, keys[low + (lane + 1) * step] < goal));
    if (below < 32) high = low + (below + 1) * step;
    if (below > 0) low += below * step + 1;
  }
  const std::int64_t at = low + lane;
  return low + __popc(__ballot_sync(~0u, at < high && keys[at] < goal));
}

/// Rows of a block of find_rows: so many that to find the first and the last takes little beside.
inline constexpr std::int64_t block_rows = 4 * block_threads;

/// offsets[r] = base + first key of row r, by bisection in the sorted keys; r from 0 to `rows`. A
/// block looks for its first and last row in all keys, for the others between those.
static __global__ void find_rows(const key_type* keys, std::int64_t count, int id_bits,
                                 std::int64_t rows, std::int64_t base, edge_offset* offsets) {
  __shared__ std::int64_t bounds[2];
  const std::int64_t first = static_cast<std::int64_t>(blockIdx.x) * block_rows;
  const std::int64_t last = first + block_rows <= rows ? first + block_rows - 1 : rows;
  if (threadIdx.x < 64) {
    const key_type row = static_cast<key_type>(threadIdx.x < 32 ? first : last);
    const std::int64_t at = first_not_below(keys, count, row << id_bits);
    if (threadIdx.x % 32 == 0) bounds[threadIdx.x / 32] = at;
  }
  __syncthreads();
  for (std::int64_t r = first + threadIdx.x; r <= last; r += block_threads) {
    const key_type goal = static_cast<key_type>(r) << id_bits;
    std::int64_t low = bounds[0], high = bounds[1];
    while (low < high) {
      const std::int64_t middle = low + (high - low) / 2;
      if (keys[middle] < goal)
        low = middle + 1;
      else
        high = middle;
    }
    offsets[r] = base + low;
  }
}

/// Queues find_rows.
inline void queue_rows(const key_type* keys, std::int64_t count, int id_bits, std::int64_t rows,
                       std::int64_t base, edge_offset* offsets, cudaStream_t stream = nullptr) {
  const auto blocks = static_cast<unsigned>(rows / block_rows + 1);
  find_rows<<<blocks, block_threads, 0, stream>>>(keys, count, id_bits, rows, base, offsets);
  GOSSAMER_CHECK_CUDA(cudaGetLastError());
}

/// The row that arc `a` lies in.
static __device__ std::int64_t row_of(const edge_offset* offsets, std::int64_t low,
                                      std::int64_t high, edge_offset a) {
  while (high - low > 1) {  // offsets[low] <= a < offsets[high]
    const std::int64_t middle = low + (high - low) / 2;
    if (offsets[middle] <= a)
      low = middle;
    else
      high = middle;
  }
  return low;
}

/// Arcs of a block of each_arc.
inline constexpr std::int64_t block_arcs = 8 * block_threads;

/// f(row, a) for the arcs [begin, end), which are those of `rows` rows, by blocks of block_arcs. A
/// block takes neighbouring arcs, whose rows lie close together, so that its threads look at few
/// offsets. Calls __syncthreads.
template <class F>
__device__ void each_arc(const edge_offset* offsets, std::int64_t rows, edge_offset begin,
                         edge_offset end, const F& f) {
  __shared__ std::int64_t row[2];
  const edge_offset from = begin + static_cast<std::int64_t>(blockIdx.x) * block_arcs;
  const edge_offset to = from + block_arcs < end ? from + block_arcs : end;
  if (threadIdx.x < 2)
    row[threadIdx.x] = row_of(offsets, 0, rows, threadIdx.x == 0 ? from : to - 1);
  __syncthreads();
  for (edge_offset a = from + threadIdx.x; a < to; a += block_threads)
    f(row_of(offsets, row[0], row[1] + 1, a), a);
}

/// Blocks for `arcs` arcs, at least one.
inline unsigned arc_blocks(std::int64_t arcs) {
  return static_cast<unsigned>((arcs + block_arcs - 1) / block_arcs);
}

template <class Id>
__global__ void take_targets(const key_type* keys, std::int64_t count, int id_bits, Id* out) {
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * block_threads + threadIdx.x;
  if (i < count) out[i] = static_cast<Id>(keys[i] & ((key_type{1} << id_bits) - 1));
}

/// Room for `capacity` keys, twice, on a device that is the current one, and what sorting them
/// takes beside it.
class key_sorter {
 public:
  key_sorter(int ordinal, std::int64_t capacity)
      : first_(memory_kind::device, ordinal, static_cast<std::size_t>(capacity)),
        second_(memory_kind::device, ordinal, static_cast<std::size_t>(capacity)),
        kept_(memory_kind::device, ordinal, 1) {
    std::size_t sorting = 0, unique = 0;
    cub::DoubleBuffer<key_type> keys(nullptr, nullptr);
    GOSSAMER_CHECK_CUDA(cub::DeviceRadixSort::SortKeys(nullptr, sorting, keys, capacity, 0, 64));
    GOSSAMER_CHECK_CUDA(cub::DeviceSelect::Unique(nullptr, unique, first_.data(), second_.data(),
                                                  kept_.data(), capacity));
    space_bytes_ = std::max(sorting, unique);
    space_ = buffer<char>(memory_kind::device, ordinal, space_bytes_);
  }

  /// Where keys are put before sort().
  [[nodiscard]] key_type* input() const { return first_.data(); }
  /// Sorts the first `count` keys by their low `bits`, and drops repeated ones if asked to. How
  /// many are left in keys(). In `stream`, for which the caller waits where nothing is dropped.
  std::int64_t sort(std::int64_t count, int bits, bool drop, cudaStream_t stream = nullptr) {
    cub::DoubleBuffer<key_type> rooms(first_.data(), second_.data());
    std::size_t bytes = space_bytes_;
    if (count > 0)
      GOSSAMER_CHECK_CUDA(
          cub::DeviceRadixSort::SortKeys(space_.data(), bytes, rooms, count, 0, bits, stream));
    keys_ = rooms.Current();
    spare_ = rooms.Alternate();
    if (!drop || count == 0) return count;
    bytes = space_bytes_;
    GOSSAMER_CHECK_CUDA(cub::DeviceSelect::Unique(space_.data(), bytes, keys_, spare_, kept_.data(),
                                                  count, stream));
    std::swap(keys_, spare_);
    key_type kept = 0;
    GOSSAMER_CHECK_CUDA(
        cudaMemcpyAsync(&kept, kept_.data(), sizeof kept, cudaMemcpyDeviceToHost, stream));
    GOSSAMER_CHECK_CUDA(cudaStreamSynchronize(stream));
    return static_cast<std::int64_t>(kept);
  }
  [[nodiscard]] key_type* keys() const { return keys_; }
  /// The other room: whatever was there is of no use.
  [[nodiscard]] key_type* spare() const { return spare_; }

 private:
  buffer<key_type> first_, second_, kept_;
  buffer<char> space_;
  std::size_t space_bytes_ = 0;
  key_type *keys_ = nullptr, *spare_ = nullptr;
};

}  // namespace gossamer::detail
