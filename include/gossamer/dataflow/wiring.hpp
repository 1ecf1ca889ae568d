// wiring: the graph of endpoints, routers and links, as data, before anything runs.
//
// Every process describes the same graph. What cannot work is refused here and now, by name: an
// endpoint linked to itself, two links between one pair, a router that nothing enters or leaves.
//
// A router is no process and holds no segment: whoever sends to it asks its policy and then writes
// straight into the receive buffers of the endpoint chosen. For that, each pair of an input's
// endpoint and an output's has buffers of its own at the receiving end (a lane), and the sender
// counts the free ones. So no two senders ever meet at a queue, and no router needs a lock, where
// the paper's multiplexer matches queues per device. The price is memory: inputs x buffers.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "gossamer/dataflow/routing_policy.hpp"
#include "gossamer/machine/machine.hpp"

namespace gossamer::dataflow {

/// Packet size and number of buffers of a link; 0 = chosen (see lane_packet and lane_buffers).
struct link_options {
  /// Largest segment in bytes. Where a router lies between two links, the smaller of both counts.
  std::size_t packet = 0;
  /// Receive buffers of each sender at the end of the link, 1 to 64: 2 is double buffering, 3
  /// triple buffering. A link into a router has none; only the links that leave it have.
  int buffers = 0;
  /// A promise that receivers at the end give each segment back before they take the next one. If
  /// all outputs of a router make it, slow destinations are given few segments ahead, so that
  /// nobody waits for those at the end. A receiver that breaks it may wait for ever.
  bool one_at_a_time = false;
};

class wiring {
 public:
  /// The machine (the paper's Context) must outlive it.
  explicit wiring(const machine& m) : machine_(&m) {}

  /// The rank's own endpoint, "rank N"; made at the first call.
  endpoint device(int rank);
  /// A further, virtual endpoint of a rank. Throws usage_error when there is no such rank, or the
  /// name is taken.
  endpoint add_endpoint(int rank, const std::string& name);
  /// Throws usage_error when it has no input, no output or no function to choose by.
  endpoint add_router(int inputs, int outputs, routing_policy policy, const std::string& name);
  /// Throws usage_error for self loops, a second link between the same two, links between routers,
  /// more links than a router has inputs or outputs, and numbers that make no sense.
  link_id connect(endpoint from, endpoint to, const link_options& options = {});

  /// Throws usage_error, naming the first one, when some router lacks links or an endpoint has
  /// none.
  void check() const;
  /// What a run takes of each rank's memories, for the windows of this wiring alone; check() first.
  [[nodiscard]] std::vector<arena_plan> arenas() const;
  /// The graph in Graphviz's language, a cluster for each rank, links by packet and buffers.
  [[nodiscard]] std::string dot() const;
  /// The same as JSON: `nodes` with name, rank (null: a router) and policy (null: an endpoint);
  /// `links` by positions in `nodes`, with bytes of a packet and buffers (null where a lane over a
  /// router has them on its other link, or no bound is set).
  [[nodiscard]] std::string json() const;

  struct node {
    std::string name;
    int rank = -1;  ///< -1: a router
    int inputs = 0, outputs = 0;
    routing_policy policy;
    [[nodiscard]] bool is_router() const noexcept { return rank < 0; }
  };
  struct edge {
    endpoint from, to;
    link_options options;
  };
  [[nodiscard]] const machine& context() const noexcept { return *machine_; }
  [[nodiscard]] const std::vector<node>& nodes() const noexcept { return nodes_; }
  [[nodiscard]] const std::vector<edge>& edges() const noexcept { return edges_; }
  [[nodiscard]] const node& operator[](endpoint e) const {
    return nodes_[static_cast<std::size_t>(e.index)];
  }
  [[nodiscard]] const edge& operator[](link_id l) const {
    return edges_[static_cast<std::size_t>(l.index)];
  }
  /// "host -> h2gpus".
  [[nodiscard]] std::string name_of(link_id l) const;

 private:
  endpoint add(node made);
  [[nodiscard]] const node& known(endpoint e) const;
  const machine* machine_;
  std::vector<node> nodes_;
  std::vector<edge> edges_;
  std::vector<endpoint> devices_;
};

/// Packet in bytes between two ranks when none is given. On a modelled system it is a power of two
/// from 64 KiB to 8 MiB, such that start and latency are 5 % of a packet's time (paper C: packets
/// of 1 to 10 MB cost 1 to 10 %). Else it is 8 MiB where a GPU takes part, 256 KiB between CPU
/// teams (half of a core's second-level cache), and 1 MiB between processes that send messages.
std::size_t lane_packet(const machine& m, int from, int to);
/// Buffers when none are given. There are no more, so that what is sent behind a long message
/// arrives within two packets' time. A third brings nothing that larger packets do not
/// (docs/design/dataflow.md).
inline constexpr int lane_buffers = 2;

}  // namespace gossamer::dataflow
