// What travels between ranks that share the work of a vertex program (balance.hpp).
//
// A piece: head, then `arcs` columns and as many weights. A part of a block: head, then values with
// marks and degrees, or columns and weights. Values of all vertices come before the first arc.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "gossamer/dataflow/vertex_blocks.hpp"
#include "gossamer/dataflow/weighted_rows.hpp"

namespace gossamer::balance_detail {

template <class Id, class Value>
struct piece_head {
  Id from;
  std::uint32_t arcs;
  Value out;
};

struct part_head {
  block_news news;
  std::int64_t block_arcs;  ///< of the whole block; 0 when it comes home, to its own rows
  std::int64_t first;       ///< vertex or arc, from the block's beginning
  std::uint32_t vertices, arcs;
  std::uint32_t last;
};

template <class Value>
struct marked_value {
  Value content;
  std::int64_t degree;
  std::uint8_t marks;
};

template <class T>
T read(const std::byte*& from) {
  T x;
  std::memcpy(&x, from, sizeof x);
  from += sizeof x;
  return x;
}
template <class T>
void write(std::byte*& to, const T& x) {
  std::memcpy(to, &x, sizeof x);
  to += sizeof x;
}

template <class Weight>
constexpr std::size_t weight_bytes = std::is_same_v<Weight, no_weight> ? 0 : sizeof(Weight);

/// Columns, then weights.
template <class Id, class Weight>
void write_arcs(std::byte*& to, const row_arcs<Id, Weight>& row, edge_offset n) {
  const auto count = static_cast<std::size_t>(n);
  if (count == 0) return;
  std::memcpy(to, row.columns + row.begin, count * sizeof(Id));
  to += count * sizeof(Id);
  if constexpr (weight_bytes < Weight >> 0) {
    std::memcpy(to, row.weights + row.begin, count * sizeof(Weight));
    to += count * sizeof(Weight);
  }
}

}  // namespace gossamer::balance_detail
