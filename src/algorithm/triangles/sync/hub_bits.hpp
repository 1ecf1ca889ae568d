// Rows of the first vertices in the new order, those of the highest degree, as bits: which smaller
// names are neighbours. A triangle of bits, so that one lookup answers for a pair.
#pragma once

#include <algorithm>
#include <cstdint>

#include "gossamer/base/ids.hpp"
#include "gossamer/base/large_array.hpp"

namespace gossamer::triangles_detail {

class hub_bits {
 public:
  /// As many rows take at most a mebibyte, what a core's own cache holds beside little else.
  static constexpr std::int64_t most = 4096;

  hub_bits() = default;
  /// Of the first vertices of `rows` (oriented_rows).
  template <class Rows>
  hub_bits(const Rows& rows, std::int64_t vertices)
      : hubs_(std::min(vertices, most)),
        words_(make_array<std::uint64_t>(static_cast<std::size_t>(begin(hubs_)))) {
    std::fill_n(words_.data(), words_.size(), 0);
    for (std::int64_t u = 0; u < hubs_; ++u)
      for (const auto w : rows.row(u))
        words_[static_cast<std::size_t>(begin(u) + (w >> 6))] |= std::uint64_t{1} << (w & 63);
  }

  [[nodiscard]] std::int64_t hubs() const noexcept { return hubs_; }
  /// Words of bits 0 … u.
  [[nodiscard]] const std::uint64_t* row(std::int64_t u) const noexcept {
    return words_.data() + begin(u);
  }
  [[nodiscard]] static std::int64_t bytes(std::int64_t vertices) {
    return begin(std::min(vertices, most)) * 8;
  }

 private:
  /// The 64 rows of block b have b + 1 words each.
  static std::int64_t begin(std::int64_t u) noexcept {
    const std::int64_t block = u / 64;
    return (32 * block + u % 64) * (block + 1);
  }

  std::int64_t hubs_ = 0;
  shared_array<std::uint64_t> words_;
};

}  // namespace gossamer::triangles_detail
