// layout: who gets which vertices, and under which placed ids. Private to the layer.
//
// Two steps, so that the memory plan can be checked in between: shares_of() counts vertices and
// arcs per rank, lay_out() makes the ownership and the permutation.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "gossamer/graph/csr.hpp"
#include "gossamer/placement/ownership.hpp"
#include "gossamer/placement/placed_graph.hpp"

namespace gossamer::placement_detail {

/// What one rank holds.
struct share {
  std::int64_t vertices = 0;
  std::int64_t arcs = 0;
  std::int64_t in_arcs = 0;  ///< arcs that end here; counted for directed graphs only
};

/// How the vertices are divided. `bounds` (p + 1 vertex indices) for contiguous ranges, `part_of`
/// (n entries) for every other partition.
struct division {
  std::vector<std::int64_t> bounds;
  std::vector<std::int32_t> part_of;
  /// Placed ids equal caller's ids: ranges that start at multiples of 64, no renumbering.
  bool identity = false;
  std::vector<share> shares;
};

/// True when options.partition needs a table (hash, metis, file); throws usage_error on a name that
/// is none, listing those that are.
bool needs_table(const place_options& options);
/// Throws usage_error when options.renumber is unknown.
void check_renumber(const place_options& options);

/// Where ranges may begin: at words of bitmaps, which then belong to one rank each, or anywhere.
enum class range_starts : std::uint8_t { words, anywhere };

/// Divides g among p ranks. With `estimate`, tables that are expensive to make (metis) are replaced
/// by even shares. `weighed`: offsets whose arcs "edges" counts, if not the graph's own.
division divide(const graph& g, int p, const place_options& options, bool estimate,
                std::span<const edge_offset> weighed = {},
                range_starts starts = range_starts::words);

/// The division of a graph that is not there yet: equal ranges as they will be, else even shares;
/// arcs spread evenly.
division divide(const graph_shape& g, int p, const place_options& options,
                range_starts starts = range_starts::words);

/// What plans need of a graph that is there.
graph_shape shape_of(const graph& g);

/// Throws cancelled_error when options.stop was requested; looked at every few milliseconds.
inline void check_stop(const place_options& options) {
  if (options.stop.stop_requested()) throw cancelled_error("placing the graph: stopped");
}

/// The ownership that belongs to a division.
ownership own(const division& d);
ownership_sizes sizes_of(const division& d);

/// placed_of[n] and vertex_of[placed] for divisions that are not the identity: inside an owner
/// vertices keep their order, or go by descending degree.
template <class Id>
void permute(const division& d, const graph& g, const ownership& owners,
             const place_options& options, shared_array<Id>& placed_of,
             shared_array<Id>& vertex_of);

}  // namespace gossamer::placement_detail
