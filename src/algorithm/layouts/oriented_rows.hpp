// Oriented rows: the simple undirected graph under the arcs, each edge once. Vertices have new
// names by falling degree, and the row of one has its neighbours with smaller names, ascending.
//
// A row's k vertices have at least its own vertex's degree, which is at least k: no row is longer
// than the root of the arcs, both directions together.
#pragma once

#include <cstdint>
#include <span>
#include <stop_token>

#include "gossamer/base/ids.hpp"
#include "gossamer/graph/csr.hpp"

namespace gossamer::algorithm_detail {

/// `Value`: what edges are worth beside being there. std::monostate: nothing. std::uint8_t: the
/// number of their directions, of directed graphs. double: of their weights.
template <class Id, class Value>
struct oriented_rows {
  shared_array<Id> name;              ///< [n] new name of each vertex
  shared_array<edge_offset> offsets;  ///< [n + 1] by new name
  shared_array<Id> columns;           ///< [edges] new names
  shared_array<Value> values;         ///< [edges]; none of std::monostate
  /// [n] by vertex: pairs of its neighbours, d (d - 1) / 2; of directed graphs pairs of its arcs, d
  /// (d - 1) - 2 b, where b of its neighbours are so in both directions.
  shared_array<std::int64_t> pairs;

  [[nodiscard]] std::span<const Id> row(std::int64_t v) const noexcept {
    return {columns.data() + offsets[v], static_cast<std::size_t>(offsets[v + 1] - offsets[v])};
  }
};

/// Lays them out. Rows that are not sorted are copied first (rebuild()). Of parallel arcs the
/// smallest weight counts; an edge is worth the cube root of that over `largest`, of a directed
/// graph the sum of both directions' roots. cancelled_error soon after a request to `stop`.
template <class Id, class Value>
oriented_rows<Id, Value> orient(const graph& g, double largest, int threads,
                                const std::stop_token& stop = {});

/// Bytes of the layout, and of what is taken beside it while it is made.
struct oriented_bytes {
  std::int64_t kept = 0, making = 0;
};
/// At most: a simple graph that is not symmetric has half its arcs for edges at least.
oriented_bytes oriented_rows_bytes(std::int64_t vertices, std::int64_t arcs, int id_width,
                                   int value_width, int weight_width, bool symmetric, int threads);

}  // namespace gossamer::algorithm_detail
