// What several algorithms ask about the lengths of a graph's rows: counted once, and kept.
#pragma once

#include <cstdint>
#include <span>

#include "gossamer/graph/csr.hpp"

namespace gossamer::algorithm_detail {

struct degree_facts {
  std::int64_t longest = 0;          ///< arcs of the longest row
  std::int64_t most_connected = -1;  ///< the first vertex with as many; -1 without vertices
  /// Whether an order by degree pays (hub_order.hpp): vertices of four times the mean degree or
  /// more have at least half of all arcs.
  bool skewed = false;
};

/// By all cores; the same with any number of them.
degree_facts count_degrees(std::span<const edge_offset> offsets);
/// Of the graph's rows; found where an earlier call counted them (placement/kept.hpp).
degree_facts degrees_of(const graph& g);

}  // namespace gossamer::algorithm_detail
