// Partitions: which part of a machine owns which vertex, and what that costs.
#pragma once

#include <cstdint>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "gossamer/graph/csr.hpp"

namespace gossamer {

/// Every vertex's part.
struct partition {
  int parts = 0;
  std::string method;                 ///< "metis", "ranges", "edges", "hash", "given"
  std::vector<std::int32_t> part_of;  ///< n entries in [0, parts)
  /// For contiguous partitions parts + 1 rising bounds: part p owns [bounds[p], bounds[p+1]).
  std::vector<std::int64_t> bounds;
};

/// Part p owns [n p / parts, n (p + 1) / parts).
partition partition_ranges(const graph& g, int parts);
/// Contiguous ranges of about the same vertices + arcs each.
partition partition_edge_ranges(const graph& g, int parts);
/// Blocks of 2^block_bits consecutive vertices, shuffled by a bijective hash of (block, seed) and
/// dealt out evenly: parts differ by at most one block. `block_bits` < 0: the ownership's blocks of
/// 64 vertices, smaller ones when there would be fewer than 8 for each part.
partition partition_hash(const graph& g, int parts, int block_bits = -1, std::uint64_t seed = 1);
/// METIS's k-way partition of the undirected simple graph, vertices weighted by 1 (deterministic by
/// `seed`). not_compiled without METIS; capacity_error when the graph exceeds METIS's integers.
/// capacity_error, too, before the graph and the work exceed `memory` bytes (0 =
/// host_memory_limit()). METIS itself cannot be interrupted: when `stop` may come, it runs in a
/// child process (fork) that shares the graph's pages and is killed on a stop, so that the caller
/// returns within milliseconds and nothing stays behind.
partition partition_metis(const graph& g, int parts, int seed = 1, const std::stop_token& stop = {},
                          std::int64_t memory = 0);
/// A partition made elsewhere, one part a vertex; usage_error unless it fits the graph. `parts` 0 =
/// the largest entry plus one.
partition partition_given(const graph& g, std::span<const std::int32_t> part_of, int parts = 0);
/// One of the above by the word used on the command line: auto (ranges), ranges, edges, hash,
/// metis; usage_error with these words otherwise. cancelled_error soon after a stop is requested;
/// `memory` as for partition_metis.
partition make_partition(const graph& g, std::string_view method, int parts,
                         const std::stop_token& stop = {}, std::int64_t memory = 0);

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

/// Cut, balance and halo. O(n + m) time, 12 bytes a vertex beyond the graph; cancelled_error soon
/// after a stop is requested; `memory` as for partition_metis.
partition_quality evaluate(const graph& g, const partition& p, const std::stop_token& stop = {},
                           std::int64_t memory = 0);

}  // namespace gossamer
