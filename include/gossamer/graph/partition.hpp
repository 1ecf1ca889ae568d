// Partitions: which part owns each vertex, and what a partition costs.
//
// A partition is a table part_of[v] in [0, parts). It is made from the graph's pattern alone and is
// the same on every machine and for every number of threads (METIS: for every run of one METIS).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "gossamer/graph/csr.hpp"

namespace gossamer {

/// The methods partition_graph() knows: ranges, edges, hash, metis.
std::span<const std::string_view> partition_names();

/// Divides the vertices of g among `parts` parts; the result has one entry a vertex. Parts may stay
/// empty when there are fewer vertices than parts or blocks.
///
///   ranges  contiguous, sizes differ by at most one vertex. O(n).
///   edges   contiguous, each with about the same number of arcs plus vertices (an empty row costs
///           something, too). O(n).
///   hash    blocks of 64 consecutive vertices (one vertex when there are fewer than 512 a part),
///           dealt by a pseudo-random permutation: parts differ by at most one block. O(n).
///   metis   METIS_PartGraphKway with its defaults and a fixed seed: few cut edges, vertices
///           balanced within 3 %. A symmetric copy without self-loops and parallel arcs is made.
///
/// usage_error when `parts` < 1 or the name is unknown (the message lists the names); not_compiled
/// for metis in a build without METIS; capacity_error when the graph does not fit METIS's ids.
std::vector<std::int32_t> partition_graph(const graph& g, int parts, std::string_view name);

/// How evenly something is spread over the parts.
struct part_spread {
  std::int64_t minimum = 0;
  std::int64_t maximum = 0;
  double mean = 0;
  double balance = 1;  ///< maximum / mean, 1 is perfect; 1 also when everything is 0
};

/// What a partition costs: its cut, its balance, its halo. Arrays have one entry a part.
struct partition_quality {
  int parts = 0;
  std::int64_t arcs = 0;                  ///< all stored arcs
  std::int64_t cut_arcs = 0;              ///< stored arcs whose ends lie in different parts
  double cut_fraction = 0;                ///< cut_arcs / arcs, 0 without arcs
  std::vector<std::int64_t> vertices_of;  ///< vertices of the part
  std::vector<std::int64_t> arcs_of;      ///< arcs in the rows of the part's vertices
  std::vector<std::int64_t> halo_of;  ///< distinct vertices of other parts that these rows touch
  part_spread vertex_spread;
  part_spread arc_spread;
  part_spread halo_spread;
  std::int64_t total_halo = 0;  ///< sum of halo_of: copies of remote vertices that are needed
};

/// Measures a partition of g. O(n + m) time, 12 bytes a vertex. usage_error when part_of has not
/// one entry a vertex or an entry lies outside [0, parts) (the message names the vertex by the
/// file's own id).
partition_quality evaluate_partition(const graph& g, std::span<const std::int32_t> part_of,
                                     int parts);

}  // namespace gossamer
