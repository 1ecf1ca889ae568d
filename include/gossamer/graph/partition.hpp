// Partitions: which part of a machine owns which vertex, and what that costs.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gossamer/graph/csr.hpp"

namespace gossamer {

/// Every vertex's part.
struct partition {
  int parts = 0;
  std::string method;                 ///< "metis", "ranges", "edge-ranges", "hash", "given"
  std::vector<std::int32_t> part_of;  ///< n entries in [0, parts)
  /// For contiguous partitions parts + 1 rising bounds: part p owns [bounds[p], bounds[p+1]).
  std::vector<std::int64_t> bounds;
};

/// Part p owns [n p / parts, n (p + 1) / parts).
partition partition_ranges(const graph& g, int parts);
/// Contiguous ranges of about the same vertices + arcs each.
partition partition_edge_ranges(const graph& g, int parts);
/// Blocks of 2^block_bits consecutive vertices, dealt to parts by a hash of (block, seed).
partition partition_hash(const graph& g, int parts, int block_bits = 0, std::uint64_t seed = 1);
/// METIS's k-way partition of the undirected simple graph, vertices weighted by 1 (deterministic by
/// `seed`). not_compiled without METIS; capacity_error when the graph exceeds METIS's integers.
partition partition_metis(const graph& g, int parts, int seed = 1);
/// A partition made elsewhere, one part a vertex; usage_error unless it fits the graph. `parts` 0 =
/// the largest entry plus one.
partition partition_given(const graph& g, std::span<const std::int32_t> part_of, int parts = 0);
/// One of the above by the word used on the command line: metis, ranges (or auto), edge-ranges (or
/// edges), hash.
partition make_partition(const graph& g, std::string_view method, int parts);
/// make_partition's part_of alone.
std::vector<std::int32_t> partition_graph(const graph& g, int parts, std::string_view method);

/// What a partition costs.
struct partition_quality {
  std::int64_t cut_arcs = 0;                 ///< stored arcs between two parts
  double cut_share = 0;                      ///< cut_arcs / arcs, 0 without arcs
  double vertex_balance = 1;                 ///< largest part's vertices / average
  double arc_balance = 1;                    ///< largest part's arcs / average
  std::vector<std::int64_t> vertices, arcs;  ///< by part: owned vertices, arcs of their rows
  std::vector<std::int64_t> halo;            ///< by part: distinct foreign vertices its rows name
  std::int64_t halo_total = 0;
};

/// Cut, balance and halo. O(n + m) time, 8 bytes a vertex beyond the graph.
partition_quality evaluate(const graph& g, const partition& p);

}  // namespace gossamer
