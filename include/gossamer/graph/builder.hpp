// From edges to CSR: the one path by which every reader, generator and caller makes a graph.
//
// Memory: with E input edges of 2·sizeof(Id) bytes, building holds the edge chunks plus the CSR
// plus O(n) counters; chunks are released as soon as they are placed where that is possible. The
// promise tested in bench/problem is peak <= 2.2 x (edges + CSR).
#pragma once

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <variant>
#include <vector>

#include "gossamer/graph/csr.hpp"

namespace gossamer {

template <class Id>
struct edge {
  Id source, target;
};

/// A list of edges in chunks, so that a streaming reader never reallocates. `weights`, when not
/// monostate, holds one array per chunk of the same length as the chunk.
template <class Id>
struct edge_chunks {
  std::int64_t vertices = 0;
  std::vector<shared_array<edge<Id>>> edges;
  std::variant<std::monostate, std::vector<shared_array<std::int32_t>>,
               std::vector<shared_array<float>>, std::vector<shared_array<double>>>
      weights;
};

/// What happens between the edges and the CSR; each step taken is recorded in graph::steps.
struct build_options {
  /// Store (v,u) beside every (u,v); self-loops once. What is symmetric already, weights included,
  /// is left as it is, and the step says so. A pass over the arcs finds that out.
  bool symmetrize = false;
  bool deduplicate = false;        ///< one arc per (u,v): the smallest weight is kept
  bool remove_self_loops = false;  ///< drop (v,v)
  bool known_symmetric = false;    ///< the input already holds both directions (checked cheaply)
  bool listed_once = false;  ///< symmetrize even what looks symmetric: (0,1), (1,0) are two edges
  int threads = 0;           ///< 0 = all cores this process may use
  std::int64_t memory = 0;   ///< rebuild: limit of bytes; 0 = host_memory_limit()
  std::function<void(double)> progress = {};  ///< called with 0..1 now and then, from any thread
  std::stop_token stop = {};  ///< looked at every few milliseconds; cancelled_error when requested
};

/// Builds a CSR with rows in ascending order; consumes `input`. Ids outside [0, vertices) throw
/// input_error. Bytes of the result do not depend on the number of threads.
graph build_csr(edge_chunks<vertex32>&& input, const build_options& options);
graph build_csr(edge_chunks<vertex64>&& input, const build_options& options);

/// The same options applied to an existing graph. capacity_error before it would take more memory
/// than allowed (memory_needs.hpp: rebuild_bytes).
graph rebuild(const graph& g, const build_options& options);

/// The subgraph of the largest (weakly) connected component; `names` keeps the old names.
/// `threads` 0 = all cores; cancelled_error soon after a stop is requested; capacity_error before
/// the graph and the work exceed `memory` bytes (0 = host_memory_limit()).
graph largest_component(const graph& g, int threads = 0, const std::stop_token& stop = {},
                        std::int64_t memory = 0);

/// True when every arc has its mirror with the same multiplicity (weights compared too).
/// O(n + m) time, 8 bytes a vertex; rows that do not ascend by (target, weight) are sorted first,
/// in memory of rebuild(). `threads` and `stop` as above.
bool is_symmetric(const graph& g, int threads = 0, const std::stop_token& stop = {});

}  // namespace gossamer
