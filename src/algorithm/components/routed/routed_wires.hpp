// The graph of engine routed's endpoints: a host that hands out edges, a worker on every rank, a
// router between them, and one through which workers hand labels to each other.
//
//   host -> edges (any device) -> every worker
//   workers -> labels (reduction) -> workers, the last of them rank 0's
#pragma once

#include <cstdint>
#include <vector>

#include "gossamer/dataflow/wiring.hpp"
#include "gossamer/graph/memory_needs.hpp"

namespace gossamer::components_detail {

struct routed_wires {
  /// `packet`: bytes of the largest segment of edges; 0 = chosen. `streamed`: a host hands them
  /// out; else there are but the links of labels (of one rank: a link that nobody uses).
  routed_wires(const machine& m, const graph_sizes& g, std::int64_t packet, bool streamed);

  std::size_t packet;  ///< whole edges
  dataflow::wiring wires;
  dataflow::link_id hand_out;           ///< host to its router
  std::vector<dataflow::link_id> take;  ///< by rank: from there
  std::vector<int> parents;             ///< by rank: to whom labels go; -1: rank 0's stay
  /// By rank: into the router of labels and out of it, where the rank needs that.
  std::vector<dataflow::link_id> up, down;

 private:
  void connect_host(const machine& m);
  void connect_workers(const machine& m, std::int64_t label_bytes);
};

/// Packets of edges that the host makes ahead of what has left.
inline constexpr int packets_ahead = 4;

}  // namespace gossamer::components_detail
