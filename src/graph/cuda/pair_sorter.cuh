// Arcs with weights on a GPU, as keys with the weights' ordered bits beside them: the twin of
// key_sorter (arc_keys.cuh).
#pragma once

#include <cstdint>

#include "gossamer/machine/memory.hpp"
#include "graph/cuda/arc_keys.cuh"
#include "graph/cuda/waited_stream.cuh"

namespace gossamer::detail {

/// Room for `capacity` pairs, twice, and what sorting takes beside it. Bits: 32 or 64 of them.
template <class Bits>
class pair_sorter {
 public:
  pair_sorter(int ordinal, std::int64_t capacity);

  /// Where keys and bits are put before sort().
  [[nodiscard]] key_type* input() const { return keys_[0].data(); }
  [[nodiscard]] Bits* input_bits() const { return bits_[0].data(); }
  /// Sorts the first `count` pairs by the low `key_bits` of their keys, and then by weight; or
  /// leaves one pair of each key, that of the smallest weight. `differing`: bits in which weights
  /// differ. Returns how many pairs are left in keys() and bits(). In `on`, for which the caller
  /// waits where nothing is dropped.
  std::int64_t sort(std::int64_t count, int key_bits, std::uint64_t differing, bool drop,
                    waited_stream& on);
  [[nodiscard]] const key_type* keys() const { return sorted_keys_; }
  [[nodiscard]] const Bits* bits() const { return sorted_bits_; }

 private:
  buffer<key_type> keys_[2];
  buffer<Bits> bits_[2];
  buffer<std::int64_t> kept_;
  buffer<char> space_;
  const key_type* sorted_keys_ = nullptr;
  const Bits* sorted_bits_ = nullptr;
};

}  // namespace gossamer::detail
