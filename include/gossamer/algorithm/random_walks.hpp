// Random walks along arcs: uniform ones, weighted ones, and those of node2vec (Grover, Leskovec,
// KDD'16), which remember where they came from.
//
// Step s of walk w is a function of the graph and of random words that (seed, w, s) number, so that
// walks are the same on every machine, by whatever number of threads and ranks:
//
//   words    Philox4x32-10 of the key `seed` and the counter (s, attempt, low and high half of w);
//            A is its first two words, B the others, each as 64 bits, the lower word first
//   uniform  arc floor(A d / 2^64) of a row of d arcs
//   weighted the first arc of the row up to which weights add to more than floor(A W / 2^64); W is
//            the row's sum. Weights are integers: whole ones as they are; floating ones times the
//            power of two, rounded down, by which the row's largest has 62 - ceil(log2 d) bits
//   p and q  an arc to x that is drawn so counts 1 / p where x is the vertex before, 1 where an arc
//            leads from that to x, and 1 / q elsewhere. It is taken if floor(B / 2) is below 2^63
//            times what it counts by the most that one may, rounded down, at least 1 (rejection, as
//            in Yang and others, "KnightKing", SOSP'19). Otherwise the next attempt draws. When 64
//            were in vain the row is added up: weights times those bounds, and the arc is the first
//            up to which they add to more than floor(A sum / 2^64), A being that of attempt 64
//
// A walk ends where no arc leaves, or none that weighs anything. Its first step has no vertex
// before it, so p and q do not count.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "gossamer/algorithm/components.hpp"
#include "gossamer/algorithm/prepared_search.hpp"
#include "gossamer/algorithm/rank_use.hpp"
#include "gossamer/algorithm/verification.hpp"
#include "gossamer/graph/csr.hpp"

namespace gossamer {

struct random_walks_options {
  /// One of these names; others throw usage_error.
  ///   auto  sync
  ///   sync  many walks at once by each thread
  std::string engine = "auto";
  std::int64_t length = 80;  ///< steps of a walk, 1 to 2e9
  std::int64_t walks = 1;    ///< from each source, at least one
  std::int64_t seed = 0;     ///< from 0 on
  bool weighted = false;     ///< arcs are drawn in proportion to their weights
  double p = 1;              ///< more of it, fewer steps back to the vertex before; 1e-9 to 1e9
  double q = 1;              ///< more of it, nearer to the vertex before; 1e-9 to 1e9
  std::int64_t memory = 0;   ///< bytes, 0 = configuration / device
  run_options run;
};

struct random_walks_result {
  std::string engine;
  std::string engine_reason;  ///< why it
  int ranks_used = 0;         ///< that worked
  std::string ranks_reason;   ///< why not all; empty when all did
  std::int64_t count = 0;     ///< walks
  std::int64_t length = 0;    ///< steps asked for
  std::int64_t steps = 0;     ///< steps of all walks together
  std::int64_t ended = 0;     ///< walks of fewer steps, which no arc led on
  /// A row of length + 1 vertices for each walk, its source first; -1 after its end. Walks of one
  /// source lie side by side, in the order of sources.
  label_array walks;
  /// Rows to walks; slowest rank.
  double milliseconds = 0;
  /// Seconds by name: "walk". "sum", adding up weights, is not part of `milliseconds`, and 0 where
  /// an earlier run or call left the sums.
  std::vector<std::pair<std::string, double>> phases;
};

/// Prepared for a graph on a machine: memory is planned, weights are added up, and it runs any
/// number of times. All ranks read the same rows, so none owns vertices.
///
/// The constructor throws not_compiled for ranks that are processes, usage_error for unknown
/// engines, options out of their range and a graph without weights for weighted walks, and
/// arc_error for a weight that is negative, NaN or infinite.
class random_walks_search : public prepared_search<random_walks_search, random_walks_options> {
 public:
  using prepared_search::prepared_search;

  using prepared_search::plan;  // with walks from all vertices
  /// What it takes beside the graph, with walks from so many sources.
  [[nodiscard]] static memory_plan plan(const machine& all, const graph& g,
                                        const random_walks_options& options, std::int64_t sources);
  /// The same before there is a graph.
  [[nodiscard]] static memory_plan plan(const machine& all, const graph_shape& g,
                                        const random_walks_options& options, std::int64_t sources);
  /// From all vertices. capacity_error, here and below, where there is no room for the walks.
  random_walks_result run();
  /// From these, in their order, again where one comes again. usage_error for one that is no
  /// vertex.
  random_walks_result run(std::span<const std::int64_t> sources);
};

/// Convenience: prepare, run once, from all vertices.
random_walks_result random_walks(machine& m, const graph& g,
                                 const random_walks_options& options = {});

/// Checks walks independently of the code that made them. Each begins at its source (those of
/// `sources`, each `options.walks` times, or of all vertices), follows arcs, and ends early only
/// where none leaves. Every step is drawn anew and compared. O(steps log d), with p and q O(d log
/// d) for a step that 64 attempts did not find; 8 bytes an arc of weighted walks. cancelled_error
/// within milliseconds of a request to `stop`; usage_error for a source that is no vertex.
verification verify_random_walks(const graph& g, const label_array& walks,
                                 std::optional<std::span<const std::int64_t>> sources,
                                 const random_walks_options& options,
                                 const std::stop_token& stop = {});

}  // namespace gossamer
