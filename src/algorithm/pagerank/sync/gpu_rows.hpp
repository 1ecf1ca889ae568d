// How in-arcs lie in the memories of GPUs: rows by length, columns that say where sources offer.
//
// A rank owns a contiguous range of vertices, with about as many arcs as the others unless a
// partition says otherwise. Its rows have slots there. On skewed graphs these go by falling length,
// else by classes of length alone, in the order of vertices within each. So rows that a kernel
// treats alike lie side by side. Sources offer where hub_order.hpp puts them. Each row's columns
// rise: lanes that read consecutive columns find many of the offers in one sector.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "gossamer/algorithm/pagerank.hpp"
#include "gossamer/base/ids.hpp"

namespace gossamer::pagerank_detail {

/// Classes of rows, the longest first. `split`: a warp for each chunk of a row; then a warp for a
/// row, a half, four lanes, one.
enum row_class : int { split, whole, half, quarter, single, row_classes };

/// By the bits of a length.
GOSSAMER_HD constexpr row_class class_of_bits(int bits) {
  if (bits >= 13) return split;  // 4,096 and more
  if (bits >= 9) return whole;   // 256
  if (bits >= 6) return half;    // 32
  return bits >= 4 ? quarter : single;
}
constexpr row_class class_of(std::int64_t length) {
  return class_of_bits(static_cast<int>(std::bit_width(static_cast<std::uint64_t>(length))));
}

inline constexpr std::int64_t shortest_split = 4096;
inline constexpr std::int64_t chunk_arcs = 2048;
/// Rows whose offsets have the upper halves of one 64-bit number: fewer than 2^32 arcs.
inline constexpr std::int64_t base_rows = 128;

/// Arcs of a split row that one warp adds up.
struct chunk {
  std::int64_t begin, count;
};

/// One rank's rows, beside their part of the arrays below. Slots are counted from its first.
struct gpu_part {
  std::int64_t first_arc = 0, arcs = 0;
  std::array<std::int64_t, row_classes> class_end{};  ///< slots
  /// [rows + 1] where a row's columns begin, modulo 2^32; those of slot s continue
  /// bases[(s - class_end[split]) / base_rows].
  std::vector<std::uint32_t> offsets;
  std::vector<std::int64_t> bases;
  std::vector<chunk> chunks;
  std::vector<std::int64_t> chunk_first;  ///< [split rows + 1]
};

/// All ranks' rows, one rank's after the other's.
template <class Value>
struct gpu_rows {
  std::vector<std::int64_t> first;  ///< [ranks + 1] vertices, and slots
  std::vector<gpu_part> parts;
  bool hubs_first = false;             ///< each range's offers begin with those of its hubs
  shared_array<vertex32> slot;         ///< [n] by vertex
  shared_array<vertex32> columns;      ///< [m] where sources offer
  shared_array<Value> shares;          ///< [m] as weights.hpp; empty unless weighted
  shared_array<Value> inverse;         ///< [n] by slot: 1 / W, 1 where arcs have shares; 0: no W
  shared_array<vertex32> place;        ///< [n] by slot: where it offers; empty: at its slot
  shared_array<std::uint32_t> wanted;  ///< [n] by slot: bit r % 32 for ranks r with arcs from it
};

/// In plans: arrays that may lie in host memory in part.
inline constexpr const char* columns_purpose = "columns of in-arcs";
inline constexpr const char* shares_purpose = "shares of in-arcs";

/// Vertices that columns of 32 bits can name.
inline constexpr std::int64_t most_vertices = 2147483647;

/// `first`: [ranks + 1] ranges of vertices, any of them empty. cancelled_error soon after a request
/// to options.run.cancel. O(n + m).
template <class Value>
gpu_rows<Value> make_gpu_rows(const graph& g, const std::vector<std::int64_t>& first,
                              const pagerank_options& options);

}  // namespace gossamer::pagerank_detail
