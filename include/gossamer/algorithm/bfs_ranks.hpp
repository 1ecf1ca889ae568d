// How many of a machine's GPUs a breadth-first search should use.
#pragma once

#include <string>

#include "gossamer/algorithm/bfs.hpp"
#include "gossamer/graph/csr.hpp"
#include "gossamer/machine/machine.hpp"
#include "gossamer/placement/placed_graph.hpp"

namespace gossamer {

/// A machine to search on, as a spec, and why it has so many ranks.
struct bfs_ranks {
  std::string spec;
  /// Why fewer ranks than the machine asked about has, or why all although fewer would be faster.
  /// Empty: all, and nothing speaks against it.
  std::string reason;
  /// What the choice takes for granted of a graph that is not there yet; empty: nothing.
  std::string provided;
};

/// Takes one GPU where several would mostly wait for each other. Measured on two H200:
/// - Networks of short rows, whose levels are a few thousand vertices: two GPUs take 1.9 to 2.4
///   times as long as one (engine async, which has no levels, 1.2 to 1.4 times).
/// - Graphs of fewer than 2^28 arcs: on kron:22 two are 1.3 times slower, on kron:24 1.17 times
///   faster (with async 1.05 times slower, and as fast).
/// Takes all ranks otherwise, and on machines that are not GPUs of one process that address each
/// other's memory. Takes all, too, where one GPU lacks memory for placement and search with these
/// options. Looks at rows until one is long.
bfs_ranks choose_bfs_ranks(const machine& m, const graph& g, const place_options& place = {},
                           const bfs_options& options = {});
/// The same before there is a graph, by what is known of it.
bfs_ranks choose_bfs_ranks(const machine& m, const graph_shape& g, const place_options& place = {},
                           const bfs_options& options = {});

}  // namespace gossamer
