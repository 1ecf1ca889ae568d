// Triangles: three vertices of which each two are neighbours, counted for each vertex, with what
// follows from them: clustering coefficients and transitivity.
//
// What counts is the simple graph under the arcs: loops are dropped, parallel arcs and both
// directions are one edge. Vertices are renamed by falling degree, and each keeps the neighbours
// before it (Chiba and Nishizeki, SIAM J. Comput. 14, 1985; Latapy, TCS 407, 2008). No such row is
// longer than sqrt(2 m). Each edge's two rows are intersected by whichever of four ways looks at
// least; on GPUs of two. O(m^1.5) at most.
//
// A directed graph is counted as Fagiolo does (Physical Review E 76, 2007): an edge is worth its
// number of directions, one or two, and a triangle the product of its three. With weights an edge
// is worth the cube root of its weight over the largest of all arcs (Onnela and others, Physical
// Review E 71, 2005), in a directed graph the sum over its directions.
#pragma once

#include <cstdint>
#include <stop_token>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "gossamer/algorithm/prepared_search.hpp"
#include "gossamer/algorithm/rank_use.hpp"
#include "gossamer/algorithm/result_values.hpp"
#include "gossamer/algorithm/verification.hpp"
#include "gossamer/graph/csr.hpp"

namespace gossamer {

/// By vertex; of doubles with weights.
using triangle_counts = std::variant<shared_array<std::int64_t>, shared_array<double>>;

struct triangles_options {
  /// One of these names; others throw usage_error.
  ///   auto  sync
  ///   sync  rows of neighbours of higher degree, intersected edge by edge
  std::string engine = "auto";
  /// Triangles are worth what their weights say. usage_error without weights.
  bool weighted = false;
  std::int64_t memory = 0;  ///< bytes, 0 = configuration / device
  run_options run;
};

struct triangles_result {
  std::string engine;
  std::string engine_reason;  ///< why it
  int ranks_used = 0;         ///< that worked
  std::string ranks_reason;   ///< why not all; empty when all did
  /// Triangles of the whole graph, each once, whatever their directions and weights.
  std::int64_t total = 0;
  double transitivity = 0;        ///< the sum of counts over the sum of pairs; 0 without pairs
  double average_clustering = 0;  ///< the mean of counts over pairs; 0 without vertices
  /// Rows to counts by vertex; slowest rank. On GPUs by their clocks, until counts lie there.
  double milliseconds = 0;
  /// Seconds by name: "count"; "collect", adding up what threads or GPUs counted. "orient", laying
  /// out rows, is not part of `milliseconds`, and 0 where an earlier run or call left them.
  std::vector<std::pair<std::string, double>> phases;
  /// What the triangles of each vertex are worth: their number, in an undirected graph without
  /// weights.
  result_values<triangle_counts> counts;
  /// Pairs of neighbours of each vertex: d (d - 1) / 2. In a directed graph pairs of arcs,
  /// d (d - 1) - 2 b, of d arcs in both directions together and b neighbours in both directions.
  /// A vertex's clustering coefficient is its count over its pairs, 0 without pairs.
  shared_array<std::int64_t> pairs;
};

/// Prepared for a graph on a machine: memory is planned, rows are laid out, and it runs any number
/// of times. All ranks read the same rows, so none owns vertices.
///
/// The constructor throws not_compiled for ranks that are processes, and for CPU ranks and GPUs
/// together, usage_error for unknown engines and missing weights, and arc_error for a weight that
/// is negative or no number.
class triangles_search : public prepared_search<triangles_search, triangles_options> {
 public:
  using prepared_search::prepared_search;

  triangles_result run();
};

/// Convenience: prepare, run once.
triangles_result triangles(machine& m, const graph& g, const triangles_options& options = {});

/// Checks counts independently of the code that made them: for each edge the shorter of its ends'
/// two rows is searched for in the longer. What a vertex's edges find is twice its count. Doubles
/// may differ by a relative 1e-9. `weighted`: as the option. O(sum over edges of the smaller
/// degree), which is O(m^1.5), times a binary search; the simple graph, 12 to 24 bytes an arc.
/// cancelled_error within milliseconds of a request to `stop`.
verification verify_triangles(const graph& g, const triangle_counts& counts, bool weighted = false,
                              const std::stop_token& stop = {});

}  // namespace gossamer
