// ownership: which rank owns a vertex, and under which local number.
//
// Vertices get *placed ids*: rank r owns whole blocks of 2^k consecutive placed ids (k >= 6, so
// that ranks never share a bitmap word), and blocks are numbered locally in ascending order. A
// rank's last block may have holes (placed ids without a vertex); they have degree 0 and are never
// reached. Contiguous ranges are the special case where each rank's blocks are adjacent; moving a
// block later changes the table, not the engines.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gossamer/base/ids.hpp"

namespace gossamer {

/// Trivially copyable view, for kernels: pointers may be host or device memory.
struct ownership_view {
  int block_bits = 6;
  int ranks = 1;
  std::int64_t blocks = 0;
  const std::int32_t* rank_of = nullptr;   ///< [blocks] owner of a block
  const std::int32_t* local_of = nullptr;  ///< [blocks] local block number at its owner
  const std::int32_t* block_at = nullptr;  ///< [blocks] blocks sorted by (owner, local number)
  const std::int64_t* first = nullptr;     ///< [ranks + 1] where each owner starts in block_at

  GOSSAMER_HD int owner(std::int64_t v) const { return rank_of[v >> block_bits]; }
  /// Local index of placed vertex v at its owner.
  GOSSAMER_HD std::int64_t local(std::int64_t v) const {
    return (static_cast<std::int64_t>(local_of[v >> block_bits]) << block_bits) |
           (v & ((std::int64_t{1} << block_bits) - 1));
  }
  /// Placed id of local vertex i of `rank`.
  GOSSAMER_HD std::int64_t global(int rank, std::int64_t i) const {
    return (static_cast<std::int64_t>(block_at[first[rank] + (i >> block_bits)]) << block_bits) |
           (i & ((std::int64_t{1} << block_bits) - 1));
  }
};

class ownership {
 public:
  /// Contiguous ranges: `counts[r]` vertices for rank r, each range padded to whole blocks.
  static ownership ranges(std::span<const std::int64_t> counts, int block_bits = 6);
  /// Any table: rank_of[b] owns block b of 2^block_bits placed ids.
  static ownership blocks(std::vector<std::int32_t> rank_of, int ranks, int block_bits);

  [[nodiscard]] int ranks() const noexcept { return view_.ranks; }
  /// Placed ids in all: blocks x 2^block_bits, at least the number of vertices.
  [[nodiscard]] std::int64_t placed() const noexcept { return view_.blocks << view_.block_bits; }
  /// Local indices of `rank`, holes included; a multiple of 2^block_bits.
  [[nodiscard]] std::int64_t local_size(int rank) const;
  [[nodiscard]] int owner(std::int64_t v) const { return view_.owner(v); }
  [[nodiscard]] std::int64_t local(std::int64_t v) const { return view_.local(v); }
  [[nodiscard]] std::int64_t global(int rank, std::int64_t i) const {
    return view_.global(rank, i);
  }
  /// True when every rank's blocks are adjacent in placed ids.
  [[nodiscard]] bool contiguous() const noexcept { return contiguous_; }
  [[nodiscard]] const ownership_view& view() const noexcept { return view_; }

  ownership() = default;
  ~ownership() = default;
  ownership(const ownership&);
  ownership& operator=(const ownership&);
  ownership(ownership&&) noexcept = default;
  ownership& operator=(ownership&&) noexcept = default;

 private:
  void finish(int ranks, int block_bits);
  std::vector<std::int32_t> rank_of_, local_of_, block_at_;
  std::vector<std::int64_t> first_;
  ownership_view view_;
  bool contiguous_ = true;
};

/// How large an ownership is, without its tables: plans for graphs of any size need no memory.
class ownership_sizes {
 public:
  /// Of ownership::ranges(counts, block_bits).
  static ownership_sizes ranges(std::span<const std::int64_t> counts, int block_bits = 6);
  explicit ownership_sizes(const ownership& o);

  [[nodiscard]] int ranks() const noexcept { return static_cast<int>(local_.size()); }
  /// As ownership::placed().
  [[nodiscard]] std::int64_t placed() const noexcept { return placed_; }
  /// As ownership::local_size().
  [[nodiscard]] std::int64_t local_size(int rank) const { return local_.at(rank); }
  [[nodiscard]] std::int64_t blocks() const noexcept { return placed_ >> block_bits_; }

 private:
  ownership_sizes() = default;
  std::vector<std::int64_t> local_;
  std::int64_t placed_ = 0;
  int block_bits_ = 6;
};

}  // namespace gossamer
