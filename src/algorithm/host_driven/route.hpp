// Which way messages of a host-driven worklist go: the router, its policy, and whose list a vertex
// is put into. Known on the host alone, so that it can be tested without a GPU.
//
// direct: to the owner. ring: to the next rank, which keeps what is its own. It passes the rest on,
// unless its halo value shows that to be of no use (Groute's scheme, PPoPP 2017: one neighbour to
// talk to, and values for one vertex meet on the way).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "gossamer/dataflow/wiring.hpp"

namespace gossamer::algorithm_detail {

enum class message_route : std::uint8_t { direct, ring };

/// direct | ring; else usage_error. `what`: whose option it is.
message_route route_by_name(const std::string& what, const std::string& name);

/// The rank that `self` hands a message for `owner` to.
inline int next_on_the_way(message_route route, int self, int owner, int ranks) {
  return route == message_route::direct || owner == self ? owner : (self + 1) % ranks;
}
/// The only rank that `self` sends to, -1: no such.
inline int only_neighbour(message_route route, int self, int ranks) {
  return route == message_route::ring && ranks > 1 ? (self + 1) % ranks : -1;
}

struct host_list_options {
  std::string name = "worklist";  ///< what errors call it
  message_route route = message_route::direct;
  double delta = 1;        ///< width of the first window of priorities
  std::size_t packet = 0;  ///< largest segment in bytes; 0: chosen
  /// Idle ranks get items from others: half of a queue that holds twice `least_grant`.
  bool steal = false;
  std::uint64_t least_grant = 8192;
};

/// usage_error for ranks that steal where one cannot read the rows of every other: CPUs, several
/// processes, GPUs that do not address each other.
void check_stealing(const machine& m, const host_list_options& options);

/// One router between endpoints of all ranks; and one for items that are given away.
struct host_list_graph {
  static constexpr int buffers = 3;  ///< one arrives, one is taken in, one goes back

  /// `message`: bytes of one; `first`: row ranges of ranks. Segments are no larger than all that
  /// there can be to send to a rank at a time.
  host_list_graph(const machine& m, const host_list_options& options, std::size_t message,
                  const std::vector<std::int64_t>& first);

  std::size_t packet;
  dataflow::wiring wires;
  std::vector<dataflow::endpoint> ends;                   ///< by rank, as the next
  std::vector<dataflow::link_id> up, down;                ///< into the router, out of it
  std::vector<dataflow::link_id> grants_up, grants_down;  ///< of ranks that steal
};

/// Bytes of host_loop's on a rank, by memory; an arena_plan with that of the graph.
arena_plan host_loop_arena(const host_list_graph& graph, const host_list_options& options,
                           int self);

}  // namespace gossamer::algorithm_detail
