// Minimum spanning forest of an undirected graph: edges that join each component into a tree, of
// the least weight together.
//
// Edges are in one order: by weight, and among equals by arc. An edge's arc is the one from its
// smaller vertex to its larger, by its place among the graph's arcs. So there is one forest, and it
// is the same on every machine. Weights are integers, floats or doubles, of any sign; without
// weights every edge weighs one. Loops are in no forest; parallel arcs are edges of their own.
//
// Each component takes its first edge to another one, and those that this joins are one component
// of the next round (Borůvka, 1926). A dense graph's first edges are joined alone; of the others
// only those count that lead out of what they have made (Osipov, Sanders and Singler,
// filter-Kruskal, ALENEX 2009). O(m log n) at most.
#pragma once

#include <cstdint>
#include <stop_token>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "gossamer/algorithm/prepared_search.hpp"
#include "gossamer/algorithm/rank_use.hpp"
#include "gossamer/algorithm/verification.hpp"
#include "gossamer/graph/csr.hpp"

namespace gossamer {

struct spanning_forest_options {
  /// One of these names; others throw usage_error.
  ///   auto  sync
  ///   sync  each component takes its first edge to another, round by round
  std::string engine = "auto";
  std::int64_t memory = 0;  ///< bytes, 0 = configuration / device
  run_options run;
};

struct spanning_forest_result {
  std::string engine;
  std::string engine_reason;  ///< why it
  int ranks_used = 0;         ///< that worked
  std::string ranks_reason;   ///< why not all; empty when all did
  std::int64_t trees = 0;     ///< one a component, those of one vertex, too
  /// Of all edges together: whole where weights are, or where there are none; else added up in the
  /// order of arcs.
  std::variant<std::int64_t, double> weight;
  std::int64_t rounds = 0;  ///< of joining components
  /// Rows to arcs; slowest rank.
  double milliseconds = 0;
  /// Seconds by name: "gather", taking edges from rows; "join", rounds; "collect", listing arcs.
  std::vector<std::pair<std::string, double>> phases;
  /// The edges, by the places of their arcs from smaller to larger vertex, ascending.
  shared_array<std::int64_t> arcs;
};

/// Prepared for a graph on a machine: memory is planned, edges are counted, and it runs any number
/// of times. All ranks read the same rows, so none owns vertices; of GPUs the first works.
///
/// The constructor throws not_compiled for ranks that are processes, usage_error for unknown
/// engines and for a directed graph, and arc_error for a weight that is NaN or infinite.
class spanning_forest_search
    : public prepared_search<spanning_forest_search, spanning_forest_options> {
 public:
  using prepared_search::prepared_search;

  spanning_forest_result run();
};

/// Convenience: prepare, run once.
spanning_forest_result spanning_forest(machine& m, const graph& g,
                                       const spanning_forest_options& options = {});

/// Checks a forest independently of the code that made it. Its arcs lead from smaller to larger
/// vertices and close no circle. Every other edge joins vertices of one tree, and comes behind all
/// edges of the path between them; with `any_of_equals` it weighs no less than they. O(m log n);
/// the forest's edges, sorted, and 32 bytes a vertex. cancelled_error within milliseconds of a
/// request to `stop`.
verification verify_spanning_forest(const graph& g, const shared_array<std::int64_t>& arcs,
                                    bool any_of_equals = false, const std::stop_token& stop = {});

}  // namespace gossamer
