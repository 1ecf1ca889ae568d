// Communities of an undirected graph: parts with more weight within them than their vertices'
// weights let one expect. How much more is the modularity (Newman, Girvan, Physical Review E 69,
// 2004), with a resolution (Reichardt, Bornholdt, Physical Review E 74, 2006):
//
//   Q = sum over communities of  w / W - resolution * (d / W)^2
//
// W is the weight of all arcs, w of those within the community, d of those that leave its vertices.
// A loop counts twice. Without weights every arc weighs one.
//
// Louvain (Blondel and others, J. Stat. Mech. P10008, 2008): vertices move to whichever neighbour's
// community gains most by it; communities become the vertices of a smaller graph; and so on until
// nobody moves. Leiden (Traag, Waltman, van Eck, Scientific Reports 9, 2019): before that, each
// community is divided into parts that are joined well, which become the vertices. So communities
// are connected. Either begins once more with the communities that it found.
//
// Vertices move in sixteenths, drawn anew each round: all of one look at the same communities, and
// then move at once. Weights are added up as integers. So communities are the same on every
// machine, by whatever number of threads and ranks. Labels are the smallest vertex of each.
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

struct communities_options {
  /// One of these names; others throw usage_error.
  ///   auto  sync
  ///   sync  a sixteenth of the vertices moves at once, round by round, level by level
  std::string engine = "auto";
  /// louvain, or leiden: its communities are connected, and it takes about twice as long. Other
  /// names throw usage_error.
  std::string method = "louvain";
  /// More of it, smaller communities. Finite, of zero or more.
  double resolution = 1;
  /// Which vertices move together.
  std::int64_t seed = 0;  ///< from 0 on
  /// Beginnings, at most: the first from single vertices, each later one from the communities
  /// before. One that changes nothing is the last. At least one.
  std::int64_t iterations = 2;
  std::int64_t memory = 0;  ///< bytes, 0 = configuration / device
  run_options run;
};

struct communities_result {
  std::string engine;
  std::string engine_reason;       ///< why it
  int ranks_used = 0;              ///< that worked
  std::string ranks_reason;        ///< why not all; empty when all did
  std::int64_t count = 0;          ///< communities
  std::int64_t largest = 0;        ///< vertices of the largest
  std::int64_t largest_label = 0;  ///< its label; of several as large the smallest
  /// As modularity() counts it, bit by bit; 0 where no arc weighs anything.
  double modularity = 0;
  std::int64_t levels = 0;  ///< graphs that vertices moved in, of all iterations
  std::int64_t rounds = 0;  ///< of moves in them
  /// Rows to labels; slowest rank. Does not count the modularity.
  double milliseconds = 0;
  /// Seconds by name: "move"; "refine", of leiden alone; "contract", making the smaller graphs.
  std::vector<std::pair<std::string, double>> phases;
  /// The smallest vertex (index) of each vertex's community.
  result_values<label_array> labels;
};

/// Prepared for a graph on a machine: memory is planned, vertices' weights are added up, and it
/// runs any number of times. All ranks read the same rows, so none owns vertices; of GPUs the first
/// works.
///
/// The constructor throws not_compiled for ranks that are processes, usage_error for unknown
/// engines and for a directed graph, and arc_error for a weight that is negative, NaN or infinite.
class communities_search : public prepared_search<communities_search, communities_options> {
 public:
  using prepared_search::prepared_search;

  communities_result run();
};

/// Convenience: prepare, run once.
communities_result communities(machine& m, const graph& g, const communities_options& options = {});

/// The modularity of any communities of an undirected graph; 0 where no arc weighs anything. Labels
/// are numbers below the number of vertices, any of a community. Added up in one order, so that it
/// is the same by any number of threads (0: all cores). usage_error for labels that do not fit, for
/// a directed graph, and for a resolution that is negative or not finite; arc_error for weights as
/// of communities_search. O(n + m); 16 bytes a vertex.
double modularity(const graph& g, const label_array& labels, double resolution = 1, int threads = 0,
                  const std::stop_token& stop = {});

/// What verify_communities() asks for beside the labels.
struct claimed_communities {
  double modularity = 0;
  double resolution = 1;
  bool connected = false;  ///< each community is, as those of leiden are
};

/// Checks communities independently of the code that made them. Each label is the smallest vertex
/// that has it. Modularity, by its definition with edges in place of arcs, is the claimed one but
/// for 1e-11. If that is claimed, a search within a label meets all that have it. O(n + m); 24
/// bytes a vertex. cancelled_error within milliseconds of a request to `stop`.
verification verify_communities(const graph& g, const label_array& labels,
                                const claimed_communities& claimed,
                                const std::stop_token& stop = {});

}  // namespace gossamer
