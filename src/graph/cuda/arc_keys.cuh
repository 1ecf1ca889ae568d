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

/// offsets[r] = base + first key of row r, by bisection in the sorted keys; r from 0 to `rows`.
static __global__ void find_rows(const key_type* keys, std::int64_t count, int id_bits,
                                 std::int64_t rows, std::int64_t base, edge_offset* offsets) {
  const std::int64_t r = static_cast<std::int64_t>(blockIdx.x) * block_threads + threadIdx.x;
  if (r > rows) return;
  const key_type goal = static_cast<key_type>(r) << id_bits;
  std::int64_t low = 0, high = count;
  while (low < high) {
    const std::int64_t middle = low + (high - low) / 2;
    if (keys[middle] < goal)
      low = middle + 1;
    else
      high = middle;
  }
  offsets[r] = base + low;
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
