// What a placed graph holds, and the steps that make it. Private to the layer.
#pragma once

#include <limits>
#include <memory>
#include <vector>

#include "gossamer/machine/memory.hpp"
#include "gossamer/placement/placed_graph.hpp"
#include "placement/layout.hpp"

namespace gossamer {

namespace placement_detail {

/// Slices and tables of one id width. Buffers are empty where the caller's arrays are shared.
template <class Id>
struct typed_slices {
  shared_array<Id> placed_of, vertex_of;  ///< empty when the permutation is the identity
  std::vector<graph_slice<Id>> slices;
  std::vector<const Id*> vertex_of_at;  ///< vertex_of in each rank's native memory
  std::vector<buffer<edge_offset>> offsets;
  std::vector<buffer<Id>> columns;
};

/// 4 or 8: the graph's own width unless padding makes placed ids leave 31 bits.
inline int placed_width(const division& d, const graph_shape& g) {
  if (g.id_width == 8) return 8;
  const std::int64_t padded = g.vertices + 64 * static_cast<std::int64_t>(d.shares.size());
  return padded > std::numeric_limits<vertex32>::max() ? 8 : 4;
}

/// Bytes of an ownership's tables in device memory.
inline std::int64_t ownership_bytes(const ownership_sizes& o) {
  return o.blocks() * 12 + (o.ranks() + 1) * 8;
}

/// Adds what the slices and tables of a placement take; `rows` and `arcs`: how sure the numbers of
/// a rank's rows and arcs are.
void plan_slices(memory_plan& plan, const machine& m, const graph_shape& g, const division& d,
                 bool both_directions, certainty rows, certainty arcs);

}  // namespace placement_detail

struct placed_graph::state {
  graph source;  ///< of a graph made on the ranks: its facts alone
  std::int64_t vertices = 0, arcs = 0;
  bool whole = true;                            ///< `source` has the graph's arrays
  std::uint64_t made_of = 0;                    ///< digest of what it was made of, unless whole
  std::vector<buffer<std::int64_t>> list_ends;  ///< by rank, of graphs made on the ranks
  graph reversed;                               ///< directed graphs with in-adjacency
  machine* on = nullptr;
  ownership owners;
  std::vector<std::int64_t> bounds;
  std::vector<ownership_view> owners_at;
  std::vector<buffer<std::byte>> owner_tables;
  memory_plan plan;
  bool identity = true, in_adjacency = false;
  std::variant<placement_detail::typed_slices<vertex32>, placement_detail::typed_slices<vertex64>>
      typed;
  double seconds = 0;
  int uploads = 0;
};

namespace placement_detail {

/// [ranks + 1] of ranks that own ranges; `vertices`: of ids that are the caller's, else -1.
std::vector<std::int64_t> bounds_of(const ownership_sizes& owners, std::int64_t vertices);

/// Copies the ownership tables to each rank's memory.
void place_owners(placed_graph::state& s);

}  // namespace placement_detail

}  // namespace gossamer
