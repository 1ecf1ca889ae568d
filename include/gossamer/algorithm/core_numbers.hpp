// Core numbers: the k-core is the largest part of a graph in which each vertex has k neighbours or
// more (Seidman, Social Networks 5, 1983). A vertex's core number is the largest k whose core it is
// in; the largest of all is the graph's degeneracy.
//
// What counts is the simple graph under the arcs: loops are dropped, parallel arcs are one. In a
// directed graph neighbours are those of arcs in and out, and who is so both ways counts twice.
//
// Vertices leave by rising degree, as Batagelj and Zaversnik do (arXiv cs/0310049, 2003), level by
// level: those with fewest neighbours go, then those whom that leaves with as few. Threads share a
// level (Kabir and Madduri, PKC, IPDPSW 2017). O(m): each arc is looked at once.
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

/// By vertex.
using core_number_array = std::variant<shared_array<std::int32_t>>;

struct core_numbers_options {
  /// One of these names; others throw usage_error.
  ///   auto  sync
  ///   sync  vertices leave level by level, fewest neighbours first
  std::string engine = "auto";
  std::int64_t memory = 0;  ///< bytes, 0 = configuration / device
  run_options run;
};

struct core_numbers_result {
  std::string engine;
  std::string engine_reason;    ///< why it
  int ranks_used = 0;           ///< that worked
  std::string ranks_reason;     ///< why not all; empty when all did
  std::int64_t degeneracy = 0;  ///< the largest core number; 0 without vertices
  std::int64_t rounds = 0;      ///< different core numbers, each a level of the search
  /// Degrees to core numbers; slowest rank.
  double milliseconds = 0;
  /// Seconds by name: "scan", finding who leaves first at each level; "peel", taking them away. A
  /// GPU does both together, and says "peel". "degrees", counting distinct neighbours, is not part
  /// of `milliseconds`, and 0 where an earlier run or call left them.
  std::vector<std::pair<std::string, double>> phases;
  /// The core number of each vertex.
  result_values<core_number_array> numbers;
};

/// Prepared for a graph on a machine: memory is planned, degrees are counted, and it runs any
/// number of times. All ranks read the same rows, so none owns vertices; of GPUs the first works.
///
/// The constructor throws not_compiled for ranks that are processes, usage_error for unknown
/// engines, and capacity_error for a vertex of 2^31 neighbours.
class core_numbers_search : public prepared_search<core_numbers_search, core_numbers_options> {
 public:
  using prepared_search::prepared_search;

  core_numbers_result run();
};

/// Convenience: prepare, run once.
core_numbers_result core_numbers(machine& m, const graph& g,
                                 const core_numbers_options& options = {});

/// Checks core numbers independently of the code that made them. Each vertex must have as many
/// neighbours of its number or more as its number says: none is too large. And vertices must be
/// able to leave in the order of their numbers, each with no more neighbours left than its number:
/// none is too small. O(m), with a sort of rows that are not sorted; the simple graph, 8 bytes an
/// arc, 16 of a directed one. cancelled_error within milliseconds of a request to `stop`.
verification verify_core_numbers(const graph& g, const core_number_array& numbers,
                                 const std::stop_token& stop = {});

}  // namespace gossamer
