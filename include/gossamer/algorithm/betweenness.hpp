// Betweenness centrality: the share of shortest paths that lead through a vertex, or along an edge,
// added up over all pairs of others (Freeman, Sociometry 40, 1977).
//
// From each source a search counts the shortest paths to each vertex; back from the last level
// dependencies add up (Brandes, J. Math. Sociology 25, 2001). O(n m) for all sources, O(k m) for k.
// What counts is the simple graph under the arcs, without weights: loops are on no shortest path,
// parallel arcs are one. Counts that pass a double's range are held with exponents of their own, so
// that no score is lost to them.
//
// Scores are those of NetworkX 3.5 and later, of samples, too: sums over k sources are scaled up to
// all n, and a source, which is never between itself and others, has k - 1 of them.
#pragma once

#include <cstdint>
#include <span>
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

/// By vertex, or by arc.
using betweenness_array = std::variant<shared_array<double>>;

struct betweenness_options {
  /// One of these names; others throw usage_error.
  ///   auto  sync
  ///   sync  a thread a source, or blocks of a GPU: counts by level, then dependencies back
  std::string engine = "auto";
  /// Scores of arcs, in place of vertices. In an undirected graph both arcs of an edge have its
  /// score. Parallel arcs share it evenly.
  bool edges = false;
  /// Scores are shares of all pairs. Otherwise numbers of pairs, in an undirected graph each once.
  bool normalized = true;
  /// A path's ends are on it, too. usage_error with `edges`.
  bool endpoints = false;
  /// Sources that are drawn, distinct ones; 0: all vertices are sources.
  std::int64_t samples = 0;
  std::int64_t seed = 1;  ///< of the draw; from 0 on
  /// How many sources run() is given at most; 0: it draws them. Plans count them.
  std::int64_t sources = 0;
  std::int64_t memory = 0;  ///< bytes, 0 = configuration / device
  run_options run;
};

struct betweenness_result {
  std::string engine;
  std::string engine_reason;  ///< why it
  int ranks_used = 0;         ///< that worked
  std::string ranks_reason;   ///< why not all; empty when all did
  /// Those that were drawn or given, in that order; empty: all vertices.
  std::vector<std::int64_t> sources;
  std::int64_t searches = 0;  ///< sources
  /// Searches whose counts passed a double's range.
  std::int64_t rescaled = 0;
  /// Rows to scores; slowest rank.
  double milliseconds = 0;
  /// Seconds by name: "search", from all sources and back; "collect", adding up what threads, or
  /// groups of a GPU's blocks, found.
  /// "reverse", reversing arcs, and "lay out", renumbering them and dropping parallel ones, are not
  /// part of `milliseconds`, and 0 where an earlier run or call left them.
  std::vector<std::pair<std::string, double>> phases;
  /// The score of each vertex, or of each arc in the order of the graph's. A number for all but the
  /// one source of a run without endpoints: of it nothing is known, and its score is NaN.
  result_values<betweenness_array> scores;
};

/// Prepared for a graph on a machine: memory is planned, rows are laid out, and it runs any number
/// of times. All ranks read the same rows, so none owns vertices; each GPU has a copy of them. Of
/// ranks that share a GPU the first works.
///
/// The constructor throws not_compiled for ranks that are processes, and usage_error for unknown
/// engines and more samples than vertices.
class betweenness_search : public prepared_search<betweenness_search, betweenness_options> {
 public:
  using prepared_search::prepared_search;

  /// From all vertices, or from samples.
  betweenness_result run();
  /// From these. usage_error for a vertex that there is not, for one that is given twice, and for
  /// more than the search was prepared for.
  betweenness_result run(std::span<const std::int64_t> sources);

 private:
  betweenness_result run_from(std::vector<std::int64_t> sources);
};

/// Convenience: prepare, run once.
betweenness_result betweenness(machine& m, const graph& g, const betweenness_options& options = {});
/// From these sources, however many.
betweenness_result betweenness(machine& m, const graph& g, std::span<const std::int64_t> sources,
                               betweenness_options options = {});

/// Checks scores independently of the code that made them: a queue from each source, lists of
/// predecessors, counts of paths as long doubles with exponents of their own, and each vertex's
/// number of pairs counted by itself. Scores may differ by a relative 1e-9. `sources`: those of the
/// run; empty: all. Of `options` those count that say what scores are. O(k m) on all cores, with 24
/// bytes an arc and for each core 40 bytes a vertex and 8 an arc; cancelled_error soon after a
/// request to `stop`.
verification verify_betweenness(const graph& g, const betweenness_array& scores,
                                std::span<const std::int64_t> sources = {},
                                const betweenness_options& options = {},
                                const std::stop_token& stop = {});

}  // namespace gossamer
