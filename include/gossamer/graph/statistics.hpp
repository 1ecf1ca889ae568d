// What a graph looks like: sizes, degrees, components, symmetry, weights.
#pragma once

#include <array>
#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

#include "gossamer/graph/csr.hpp"

namespace gossamer {

/// Which parts of the statistics to compute beyond one sweep over the degrees.
struct statistics_options {
  bool components = true;         ///< weak components: O(n + m), 16 B a vertex
  bool strong_components = true;  ///< strong ones: O(n + m), 40 B a vertex (weak ones if symmetric)
  bool symmetry = true;           ///< symmetric or not: O(n + m), 8 B a vertex
  bool simple_edges = true;       ///< undirected simple edges: O(n + m log d), a sorted copy when
                                  ///< rows are not sorted
  bool triangles = false;         ///< count_triangles: O(m^1.5); a sorted copy as above
  int threads = 0;                ///< 0 = all cores this process may use
  std::int64_t memory = 0;        ///< limit of bytes; 0 = host_memory_limit()
  std::stop_token stop = {};      ///< cancelled_error a few milliseconds after a request
};

/// Range of the weights; counts are of stored arcs.
struct weight_statistics {
  bool present = false;
  std::string type;                 ///< "int32", "float", "double"
  std::string source;               ///< graph::weight_source
  double minimum = 0, maximum = 0;  ///< NaN left out
  std::int64_t zeros = 0, negatives = 0, nans = 0;
};

struct graph_statistics {
  std::int64_t vertices = 0;
  std::int64_t arcs = 0;               ///< stored
  std::int64_t self_loops = 0;         ///< arcs (v,v)
  std::int64_t parallel_arcs = 0;      ///< arcs beyond the first of their (u,v)
  std::int64_t isolated_vertices = 0;  ///< no arc at all, neither out nor in
  std::int64_t loop_vertices = 0;      ///< self-loops are their only arcs; not among the isolated
  std::int64_t minimum_degree = 0, maximum_degree = 0;  ///< of the rows (out-degrees)
  std::int64_t maximum_degree_vertex = -1;              ///< smallest index with the largest degree
  double mean_degree = 0;
  /// histogram[0]: degree 0; histogram[i]: degrees in [2^(i-1), 2^i). No trailing zeros.
  std::vector<std::int64_t> degree_histogram;
  /// Smallest degrees d such that at least this share of the vertices, in thousandths, has degree
  /// <= d: the minimum, …, the (lower) median, …, the maximum.
  static constexpr std::array<int, 10> per_mille = {0, 10, 100, 250, 500, 750, 900, 990, 999, 1000};
  std::array<std::int64_t, 10> degree_percentiles = {};
  std::int64_t components = -1, largest_component = -1;                ///< weak; -1: not computed
  std::int64_t strong_components = -1, largest_strong_component = -1;  ///< -1: not computed
  int symmetric = -1;                         ///< 1 yes, 0 no, -1 not computed
  std::int64_t undirected_simple_edges = -1;  ///< pairs {u,v}, u != v; -1: not computed
  std::int64_t triangles = -1;                ///< of the undirected simple graph; -1: not computed
  weight_statistics weights;
};

/// Computes them. Rows need not be sorted. All parts but strong components run on all threads; none
/// of the numbers depends on how many there are. capacity_error before the graph and the work
/// exceed options.memory (memory_needs.hpp: statistics_bytes).
graph_statistics statistics(const graph& g, const statistics_options& options = {});

/// Triangles of the undirected simple graph, exactly. O(m^1.5) time whatever the hubs are; memory:
/// an id an edge and 16 bytes a vertex. Rows must be sorted (usage_error); `threads` 0 = all cores
/// this process may use; cancelled_error soon after a stop is requested; capacity_error before the
/// graph and the work exceed `memory` bytes (0 = host_memory_limit()).
std::int64_t count_triangles(const graph& g, int threads = 0, const std::stop_token& stop = {},
                             std::int64_t memory = 0);

}  // namespace gossamer
