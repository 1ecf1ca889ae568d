// A partition of the vertices among ranks that read contiguous ranges of rows (row_ranges.hpp): it
// is a renumbering.
//
// Vertices are put in the order of their parts, inside a part in their own, and the graph is
// renumbered once. Then each part is a range of rows, and an algorithm that works on ranges needs
// to know nothing of partitions. What goes in and comes out by vertex is put in the other order.
// Partitions into ranges (ranges, edges, and tables that are) need no other order.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "gossamer/algorithm/rank_use.hpp"
#include "gossamer/base/large_array.hpp"
#include "gossamer/graph/csr.hpp"
#include "gossamer/graph/memory_needs.hpp"
#include "gossamer/machine/machine.hpp"
#include "gossamer/placement/placed_graph.hpp"

namespace gossamer::algorithm_detail {

/// What options say; views of them.
struct partition_request {
  const char* algorithm;
  const std::string& name;
  const std::vector<std::int32_t>& part_of;
  std::stop_token stop = {};
  std::int64_t memory = 0;
};

template <class Options>
partition_request request_of(const char* algorithm, const Options& o) {
  return {algorithm, o.partition, o.part_of, o.run.cancel, o.memory};
}

/// A partition is one for all ranks.
template <class Options>
rank_use use_of(const Options& o) {
  return o.partition == "auto" ? o.use : rank_use::all;
}

/// usage_error for unknown names. One rank owns everything, whatever the partition.
void check_partition(const partition_request& asked);

/// Row ranges of the parts.
struct vertex_parts {
  std::vector<std::int64_t> first;    ///< [ranks + 1]; empty: the engine's own ranges
  std::vector<std::int32_t> part_of;  ///< where the parts are no ranges of the graph as it is
  bool moved = false;                 ///< the graph is to be renumbered
  bool estimated = false;             ///< parts of even size stand for those that will be

  /// The engine's own ranges instead of none.
  [[nodiscard]] std::vector<std::int64_t> first_or(std::vector<std::int64_t> own) const {
    return first.empty() ? std::move(own) : first;
  }
};

/// The request is checked. usage_error for a table that does not fit graph and ranks.
vertex_parts divide_vertices(const graph& g, const machine& m, const partition_request& asked);
/// For plans: without what takes long to find (METIS's), and before there is a graph.
vertex_parts plan_parts(const graph& g, const machine& m, const partition_request& asked);
vertex_parts plan_parts(const graph_shape& g, const machine& m, const partition_request& asked);

/// [ranks] arcs of the rows of each, which have the ranges `first`; `offsets`: of rows in the
/// caller's order, `arcs` of them in all. Where parts of even size stand for others, about as many
/// each. One rank has all: nothing is read.
std::vector<std::int64_t> arcs_of_ranks(const vertex_parts& parts,
                                        std::span<const edge_offset> offsets,
                                        std::span<const std::int64_t> first, std::int64_t arcs);
/// Of what depends on how many rows a rank has, where it were `otherwise`.
inline certainty certainty_of_rows(const vertex_parts& parts, certainty otherwise) {
  return parts.estimated ? certainty::about : otherwise;
}

/// Adds what the renumbered graph takes, the order of vertices, and `result_bytes` a vertex for
/// results that are put in the other order; nothing unless parts.moved.
void plan_renumbering(memory_plan& plan, int rank, const vertex_parts& parts, const graph_sizes& g,
                      std::int64_t result_bytes, certainty vertices, certainty arcs);
/// Adds what METIS takes by itself, for plans that are read and not checked: it is over before
/// ranks take anything, and make_partition() compares it with the limit.
void plan_partitioning(memory_plan& plan, const machine& m, const partition_request& asked,
                       const graph_sizes& g);

/// For renumbering: where ranks are processes, those of the ranks that are here, else 0 (all
/// cores).
int threads_here(const machine& m);
/// For passes over results, beside no run: as many as the teams of this process have, and all cores
/// where there are GPUs, whose threads wait.
int threads_after_run(const machine& m);

/// A graph in the order of its parts; without parts, as it is.
class parted_graph {
 public:
  parted_graph() = default;
  /// `parts` of g; `threads` make it.
  parted_graph(const graph& g, vertex_parts parts, int threads, const std::stop_token& stop = {});

  [[nodiscard]] const graph& rows() const { return rows_; }
  /// Keeps the order alone, for who holds what it needs of the rows.
  void drop_rows() { rows_ = {}; }
  /// [ranks + 1] row ranges; empty: the engine's own.
  [[nodiscard]] const std::vector<std::int64_t>& first() const { return first_; }
  /// Rows are not the caller's.
  [[nodiscard]] bool moved() const { return !vertex_.empty(); }
  [[nodiscard]] std::int64_t row_of(std::int64_t vertex) const;
  [[nodiscard]] std::int64_t vertex_of(std::int64_t row) const {
    return moved() ? vertex_[static_cast<std::size_t>(row)] : row;
  }
  /// Values by the caller's vertex from values by row; the same array unless moved().
  template <class T>
  [[nodiscard]] shared_array<T> by_vertex(const shared_array<T>& of_row) const {
    if (!moved()) return of_row;
    auto values = make_array<T>(of_row.size());
    put_back(of_row, 0, static_cast<std::int64_t>(of_row.size()), values);
    return values;
  }
  /// The same of rows [begin, end) alone.
  template <class T>
  void put_back(const shared_array<T>& of_row, std::int64_t begin, std::int64_t end,
                const shared_array<T>& values) const {
    for (std::int64_t i = begin; i < end; ++i)
      values[static_cast<std::size_t>(vertex_of(i))] = of_row[static_cast<std::size_t>(i)];
  }
  /// The other way; of an array that is there.
  template <class T>
  [[nodiscard]] shared_array<T> by_row(const shared_array<T>& of_vertex) const {
    if (!moved() || of_vertex.empty()) return of_vertex;
    auto values = make_array<T>(of_vertex.size());
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = of_vertex[static_cast<std::size_t>(vertex_[i])];
    return values;
  }

 private:
  graph rows_;
  std::vector<std::int64_t> first_;
  shared_array<std::int64_t> vertex_;  ///< of each row, rising inside a part; empty: itself
};

}  // namespace gossamer::algorithm_detail
