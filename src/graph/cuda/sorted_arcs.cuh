// The arcs of a piece of rows, sorted: their sorter, with weights or without, and what is taken of
// them beside rows and columns.
#pragma once

#include <cstdint>
#include <type_traits>

#include "gossamer/graph/random.hpp"
#include "graph/arc_keys.hpp"
#include "graph/cuda/arc_keys.cuh"
#include "graph/cuda/over_warp.cuh"
#include "graph/cuda/pair_sorter.cuh"
#include "graph/cuda/waited_stream.cuh"

namespace gossamer::detail {

/// What is added up over the sorted arcs of all pieces.
struct arc_sums {
  word difference;     ///< mirror_difference
  word doubled_pairs;  ///< build_counts
};
struct sums_wanted {
  bool difference, doubled_pairs;
};

/// `first`: the piece's first row. Bits: void without weights.
template <class Bits>
__global__ void add_arcs(const key_type* keys, const Bits* bits, std::int64_t count, int id_bits,
                         std::int64_t first, sums_wanted wanted, std::uint64_t seed,
                         arc_sums* sums) {
  const std::int64_t step = static_cast<std::int64_t>(gridDim.x) * block_threads;
  const key_type column_mask = (key_type{1} << id_bits) - 1;
  word difference = 0, doubled = 0;
  for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * block_threads + threadIdx.x;
       i < count; i += step) {
    const key_type key = keys[i];
    const std::int64_t row = first + static_cast<std::int64_t>(key >> id_bits);
    const auto column = static_cast<std::int64_t>(key & column_mask);
    if (wanted.difference) {
      std::uint64_t weight = 0;
      if constexpr (!std::is_void_v<Bits>) weight = mix64(bits[i]);
      difference += mirror_difference(seed, row, column, weight);
    }
    if (wanted.doubled_pairs)
      doubled += column > row && i > 0 && keys[i - 1] == key && (i < 2 || keys[i - 2] != key);
  }
  difference = sum_over_warp(difference);
  doubled = sum_over_warp(doubled);
  if (threadIdx.x % 32 != 0) return;
  if (difference != 0) atomicAdd(&sums->difference, difference);
  if (doubled != 0) atomicAdd(&sums->doubled_pairs, doubled);
}

template <class Bits>
__global__ void take_weights(const Bits* bits, std::int64_t count, bool real, Bits* out) {
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * block_threads + threadIdx.x;
  if (i < count) out[i] = raw_bits(bits[i], real);
}

/// The sorter of either kind of arcs under one name.
template <class Bits>
class arc_sorter {
 public:
  arc_sorter(int ordinal, std::int64_t capacity) : sorter_(ordinal, capacity) {}
  [[nodiscard]] key_type* input() const { return sorter_.input(); }
  [[nodiscard]] void* input_bits() const {
    if constexpr (std::is_void_v<Bits>)
      return nullptr;
    else
      return sorter_.input_bits();
  }
  std::int64_t sort(std::int64_t count, int key_bits, std::uint64_t differing, bool drop,
                    waited_stream& on) {
    if constexpr (std::is_void_v<Bits>)
      return sorter_.sort(count, key_bits, drop, on.native());
    else
      return sorter_.sort(count, key_bits, differing, drop, on);
  }
  [[nodiscard]] const key_type* keys() const { return sorter_.keys(); }
  [[nodiscard]] const Bits* bits() const {
    if constexpr (std::is_void_v<Bits>)
      return nullptr;
    else
      return sorter_.bits();
  }

 private:
  std::conditional_t<std::is_void_v<Bits>, key_sorter,
                     pair_sorter<std::conditional_t<std::is_void_v<Bits>, std::uint32_t, Bits>>>
      sorter_;
};

}  // namespace gossamer::detail
