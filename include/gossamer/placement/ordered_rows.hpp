// A graph whose vertices lie in the order of the ranks that own them, without holes. For algorithms
// that read contiguous ranges of rows of one array and lay them out in an order of their own.
//
// Vertices are put in the order of their parts, and inside a part in their own, and the graph is
// renumbered once. What goes in by vertex is put into this order, and what comes out is put back.
// Partitions into ranges (ranges, edges, and tables that are ranges) need no other order: the rows
// are the caller's.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gossamer/base/large_array.hpp"
#include "gossamer/graph/csr.hpp"
#include "gossamer/graph/memory_needs.hpp"
#include "gossamer/machine/machine.hpp"
#include "gossamer/placement/placed_graph.hpp"

namespace gossamer {

/// Whose arcs partition "edges" shares out evenly.
enum class balanced : std::uint8_t { out_arcs, in_arcs };

/// How many rows and arcs each rank gets.
struct vertex_ranges {
  std::vector<std::int64_t> first;    ///< [ranks + 1] row ranges
  std::vector<std::int64_t> arcs;     ///< [ranks] out-arcs of these rows
  std::vector<std::int64_t> in_arcs;  ///< [ranks]
  bool moved = false;                 ///< rows are not the caller's
  certainty are = certainty::exact;   ///< whether that is how it will be
};
/// usage_error for unknown names and tables that fit neither graph nor ranks. For METIS, and before
/// there is a graph, the shares are taken to be equal.
vertex_ranges plan_ranges(const machine& m, const graph& g, const place_options& how,
                          balanced by = balanced::out_arcs);
vertex_ranges plan_ranges(const machine& m, const graph_shape& g, const place_options& how);
/// Adds what ordered_rows takes where rows are moved: `values` bytes a vertex for what goes in and
/// comes out, and METIS's own memory where that is the partition.
void plan_ordered(memory_plan& plan, const machine& m, const vertex_ranges& ranges,
                  const graph_sizes& g, const place_options& how, std::int64_t values);

/// [n + 1] where in-arcs begin by vertex; the graph's own if symmetric. O(m).
shared_array<edge_offset> in_offsets_of(const graph& g);

class ordered_rows {
 public:
  ordered_rows() = default;
  /// `threads` renumber, 0: all cores. Takes what plan_ordered() says.
  ordered_rows(const machine& m, const graph& g, const place_options& how,
               balanced by = balanced::out_arcs, int threads = 0);

  [[nodiscard]] const graph& rows() const { return rows_; }
  /// Keeps the order alone, for callers that hold what they need of the rows.
  void drop_rows() { rows_ = {}; }
  [[nodiscard]] const vertex_ranges& ranges() const { return ranges_; }
  /// [vertices] of each row, rising inside a part; empty unless moved.
  [[nodiscard]] const shared_array<std::int64_t>& vertices() const { return vertex_; }

  /// Values by the caller's vertex from values by row; the same array unless moved.
  template <class T>
  [[nodiscard]] shared_array<T> by_vertex(const shared_array<T>& of_row) const {
    if (!ranges_.moved) return of_row;
    const auto values = make_array<T>(of_row.size());
    for (std::size_t i = 0; i < values.size(); ++i)
      values[static_cast<std::size_t>(vertex_[i])] = of_row[i];
    return values;
  }
  /// The other way; of an array that is there.
  template <class T>
  [[nodiscard]] shared_array<T> by_row(const shared_array<T>& of_vertex) const {
    if (!ranges_.moved || of_vertex.empty()) return of_vertex;
    const auto values = make_array<T>(of_vertex.size());
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = of_vertex[static_cast<std::size_t>(vertex_[i])];
    return values;
  }

 private:
  graph rows_;
  vertex_ranges ranges_;
  shared_array<std::int64_t> vertex_;
};

}  // namespace gossamer
