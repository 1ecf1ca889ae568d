// What work on a graph takes beside the graph: known before anything is allocated, and refused when
// it does not fit.
//
// Numbers are bytes at the work's peak on the host, saturating. They are upper bounds if the given
// sizes are. What is left out does not grow with the graph: staging buffers, one row, one bucket.
#pragma once

#include <cstdint>
#include <string_view>

#include "gossamer/graph/builder.hpp"
#include "gossamer/graph/csr.hpp"
#include "gossamer/graph/statistics.hpp"

namespace gossamer {

/// What a plan has to know of a graph, which need not be there yet.
struct graph_sizes {
  std::int64_t vertices = 0, arcs = 0;
  int id_bytes = 4;        ///< 4 or 8
  int weight_bytes = 0;    ///< 0, 4 or 8
  bool symmetric = false;  ///< false: not known to be
  static graph_sizes of(const graph& g);
};

/// The graph's own arrays.
std::int64_t csr_bytes(const graph_sizes& g);
/// rebuild() with these options: the arcs while they are sorted, and the new graph.
std::int64_t rebuild_bytes(const graph_sizes& g, const build_options& options);
/// build_csr() of `list` bytes of edges, of which g is made, and is_symmetric() of the graph: the
/// list, which goes as it is sorted, and the graph are part of it.
std::int64_t build_bytes(const graph_sizes& g, std::int64_t list, const build_options& options);
/// Finding the components, 16 bytes a vertex, and a copy of the largest unless it is the only one.
std::int64_t component_bytes(const graph_sizes& g);
/// make_partition() by this method. What METIS takes by itself is no bound but an estimate from
/// measurements (src/graph/memory_needs.cpp).
std::int64_t partition_bytes(const graph_sizes& g, std::string_view method);
/// renumbered(): the new graph with its vertices' names, and new ids while it is made.
std::int64_t renumber_bytes(const graph_sizes& g);
/// evaluate(), and the part of every vertex.
std::int64_t quality_bytes(const graph_sizes& g);
/// statistics() with these options.
std::int64_t statistics_bytes(const graph_sizes& g, const statistics_options& options);

/// What the arrays of g hold: csr_bytes(), or 0 when they lie in a mapped file.
std::int64_t held_bytes(const graph& g);

/// Throws capacity_error, which names the graph, the work and the limit, unless `bytes` for `work`
/// fit beside what g holds. `limit` 0: host_memory_limit(), of which what is left lies beside the
/// graph already.
void require_memory(const graph& g, std::string_view work, std::int64_t bytes, std::int64_t limit);

}  // namespace gossamer
