// Strong components: vertices of which each reaches each other along arcs.
//
// A vertex of many arcs both ways is the pivot: what it reaches and what reaches it are found by
// two searches, and who is in both is its component, the giant one where there is one (Fleischer,
// Hendrickson, Pinar, IRREGULAR, IPDPS 2000). No other component has vertices of two of the three
// parts that are left. Vertices without arcs in, or without arcs out, within their part are
// components of their own, again and again (McLendon and others, JPDC 65, 2005). What is then left
// is small, and a depth-first search of each part finds its components (Tarjan, SIAM J. Comput. 1,
// 1972). O(n + m), but for the rounds of trimming, of which each takes an eighth of what is left.
#pragma once

#include <cstdint>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "gossamer/algorithm/components.hpp"
#include "gossamer/algorithm/prepared_search.hpp"
#include "gossamer/algorithm/rank_use.hpp"
#include "gossamer/algorithm/result_values.hpp"
#include "gossamer/algorithm/verification.hpp"
#include "gossamer/graph/csr.hpp"

namespace gossamer {

struct strong_components_options {
  /// One of these names; others throw usage_error.
  ///   auto  sync
  ///   sync  searches from a pivot both ways, trimming, then depth first
  std::string engine = "auto";
  std::int64_t memory = 0;  ///< bytes, 0 = configuration / device
  run_options run;
};

struct strong_components_result {
  std::string engine;
  std::string engine_reason;       ///< why it
  int ranks_used = 0;              ///< that worked
  std::string ranks_reason;        ///< why not all; empty when all did
  std::int64_t count = 0;          ///< components
  std::int64_t largest = 0;        ///< vertices of the largest
  std::int64_t largest_label = 0;  ///< its label; of several as large the smallest
  std::int64_t trimmed = 0;        ///< vertices that trimming found to be components
  /// Rows to labels; slowest rank.
  double milliseconds = 0;
  /// Seconds by name: "search", from the pivot both ways; "trim"; "rest", depth first. A GPU's
  /// "search" is all that its kernel does, and "rest" what the host finds behind it. "reverse",
  /// reversing arcs, is not part of `milliseconds`, and 0 of symmetric graphs and where an earlier
  /// run or call left them.
  std::vector<std::pair<std::string, double>> phases;
  /// The smallest vertex (index) of each vertex's component.
  result_values<label_array> labels;
};

/// Prepared for a graph on a machine: memory is planned, arcs are reversed, and it runs any number
/// of times. All ranks read the same rows, so none owns vertices; of GPUs the first works.
///
/// The constructor throws not_compiled for ranks that are processes, and usage_error for unknown
/// engines.
class strong_components_search
    : public prepared_search<strong_components_search, strong_components_options> {
 public:
  using prepared_search::prepared_search;

  strong_components_result run();
};

/// Convenience: prepare, run once.
strong_components_result strong_components(machine& m, const graph& g,
                                           const strong_components_options& options = {});

/// Checks labels independently of the code that made them. From each vertex that is its own label a
/// search along arcs, and one against them, that keep to its label must meet all who have it: none
/// is too large. And between components arcs must lead in no circle, which would join them: none is
/// too small. O(n + m), with the reversed arcs. cancelled_error within milliseconds of a request to
/// `stop`.
verification verify_strong_components(const graph& g, const label_array& labels,
                                      const std::stop_token& stop = {});

}  // namespace gossamer
