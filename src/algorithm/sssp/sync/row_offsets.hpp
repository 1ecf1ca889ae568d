// Where rows begin, in 4 bytes a row: a CPU rank's searches ask for that at random places, and half
// the bytes are half the cache lines.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "gossamer/base/ids.hpp"
#include "gossamer/base/large_array.hpp"

namespace gossamer::algorithm_detail {

/// Offsets of rows [0, n], in blocks of rows whose arcs 32 bits can count: the block's first offset
/// in 64 bits, and what a row's is behind it in 32.
class row_offsets {
 public:
  row_offsets() = default;
  /// `offsets` [n + 1] rise.
  explicit row_offsets(std::span<const edge_offset> offsets) {
    while (shift_ > 0 && !fits(offsets)) --shift_;
    low_ = make_array<std::uint32_t>(offsets.size());
    for (std::size_t v = 0; v < offsets.size(); ++v) {
      if (v % (std::size_t{1} << shift_) == 0) bases_.push_back(offsets[v]);
      low_[v] = static_cast<std::uint32_t>(offsets[v] - bases_.back());
    }
  }

  [[nodiscard]] edge_offset operator[](std::int64_t v) const {
    return bases_[static_cast<std::size_t>(v >> shift_)] + low_[static_cast<std::size_t>(v)];
  }
  void fetch_ahead(std::int64_t v) const { __builtin_prefetch(&low_[static_cast<std::size_t>(v)]); }
  static constexpr std::int64_t bytes(std::int64_t rows) { return (rows + 1) * 4; }

 private:
  [[nodiscard]] bool fits(std::span<const edge_offset> offsets) const {
    const std::size_t rows = std::size_t{1} << shift_;
    for (std::size_t first = 0; first < offsets.size(); first += rows) {
      const std::size_t last = std::min(first + rows, offsets.size()) - 1;
      if (offsets[last] - offsets[first] > std::numeric_limits<std::uint32_t>::max()) return false;
    }
    return true;
  }

  int shift_ = 12;
  shared_array<std::uint32_t> low_;
  std::vector<edge_offset> bases_;
};

}  // namespace gossamer::algorithm_detail
