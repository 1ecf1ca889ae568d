// What kernels that count triangles are given, and how large their pieces are.
#pragma once

#include <cstdint>
#include <type_traits>
#include <variant>

#include "gossamer/base/ids.hpp"

namespace gossamer::triangles_detail::cuda {

template <class Value>
inline constexpr bool valued = !std::is_same_v<Value, std::monostate>;

/// What triangles are worth, added up by atomics. The host has signed integers.
template <class Value>
using device_worth = std::conditional_t<std::is_same_v<Value, double>, double, unsigned long long>;

/// What a kernel takes at once. Tests have small ones.
struct gpu_sizes {
  static constexpr unsigned long_threads = 512, short_threads = 256;  ///< of a block
  /// Entries from which on a block takes a row, not a warp.
  static constexpr unsigned long_row = 64;
  /// Names below it are marked as bits in a block's memory, 32 KiB. Others are searched for.
  static constexpr unsigned marks = 1U << 18;
  /// Names below it, those of the highest degrees, have counters there, 32 KiB.
  static constexpr unsigned counters = 8192;
  /// What stands before u in v's row is searched for in u's row, if that is so many times as long:
  /// of long rows and of short ones.
  static constexpr unsigned search_long = 16, search_short = 4;
  /// Entries of rows after which these go to the GPU's memory: a row adds less to each than it is
  /// long, so that 32 bits suffice.
  static constexpr unsigned long long most_entries = 1ULL << 31;
  /// Short rows that a warp takes at once.
  static constexpr unsigned rows_at_once = 4;
};

/// Oriented rows (layouts/oriented_rows.hpp) in a GPU's memory.
template <class Id, class Value>
struct device_rows {
  const edge_offset* offsets;
  const Id* columns;
  const Value* values;  ///< null of std::monostate
};

/// A rank's part of a list of rows: every `ranks`-th from `rank` on. Blocks, or warps, take them by
/// `ticket`, which begins at 0.
template <class Id, class Value>
struct row_share {
  device_rows<Id, Value> rows;
  const Id* list;
  std::int64_t size;  ///< of the list, with other ranks' parts
  std::int64_t rank, ranks;
  unsigned long long* ticket;
  device_worth<Value>* counts;  ///< [n] by name
  unsigned long long* found;    ///< triangles

  [[nodiscard]] std::int64_t own() const { return (size - rank + ranks - 1) / ranks; }
};

}  // namespace gossamer::triangles_detail::cuda
