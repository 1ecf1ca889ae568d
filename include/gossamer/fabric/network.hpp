// network: transfers between the nodes of a modelled system, as events in virtual time.
//
// Knows no rank, no memory and no payload: bytes are a number. The fabric `sim` runs programs over
// it, and schedules are replayed on it without payload, so both see the same contention.
//
// Model. A transfer leaves its node in packets (at most 128, none smaller than the system says),
// and each packet goes through the links of its route in turn. It takes a link when its head is
// there and every packet that came before has gone (first come, first served). It keeps the link
// for its bytes over the link's bandwidth, and its head moves on after the link's latency
// (cut-through). Flows that meet on a link thus take turns, and two get half each. The transfers of
// one adapter take turns in the same way at reading memory. Buffers are unbounded: a slow link does
// not hold up the links before it. A source sends its next packet when its mover and its first link
// have done with the one before.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <queue>
#include <unordered_map>
#include <vector>

#include "gossamer/machine/system.hpp"

namespace gossamer::model {

/// One transfer, from its start to its arrival. Times are virtual seconds.
struct flight {
  int from = 0, to = 0;
  std::size_t bytes = 0;
  const transfer_kind* kind = nullptr;
  bool first_of_chain = true;
  double issued = 0;   ///< the initiator has handed it over
  double begun = 0;    ///< its mover took it up: later than issued when an engine was busy
  double arrived = 0;  ///< the target sees it; 0 until then
  double wires = 0;    ///< s of the hops' latencies
  double moving = 0;   ///< s of the bytes over the slowest of source, mover and links, alone
  int hops = 0;
};

class network {
 public:
  using id = std::uint32_t;
  static constexpr id none = ~id{0};

  /// Throws usage_error when the system may not have so many nodes (system::check_ranks), or when
  /// nodes < 1.
  network(std::shared_ptr<const system> s, int nodes);

  [[nodiscard]] const system& what() const noexcept { return *system_; }
  [[nodiscard]] int nodes() const noexcept { return nodes_; }

  /// Starts a transfer at `time`, which must not lie before the last event. from == to is a copy
  /// within the node, which crosses no link unless all nodes have one host. `first_of_chain` =
  /// false: its command started with the transfer before it.
  id inject(double time, int from, int to, const transfer_kind& kind, std::size_t bytes,
            bool first_of_chain = true);
  /// Time of the next event; infinity when none is left.
  [[nodiscard]] double next() const noexcept;
  /// Lets the next event happen; the transfer whose last byte is seen by it, if any.
  std::optional<id> advance();
  [[nodiscard]] const flight& operator[](id which) const { return flights_[which]; }
  /// The id may be used again.
  void forget(id which) { free_.push_back(which); }
  /// Drops everything on its way and begins at time 0.
  void reset();

  /// The links from one node's device to another's in order, as numbers; empty within a node.
  /// Minimal, fixed: tori go along their dimensions in turn, ties in the direction of growing
  /// coordinates.
  [[nodiscard]] std::vector<int> route(int from, int to) const;
  /// Hops between hubs or switches (the ports of nodes are none).
  [[nodiscard]] int hops(int from, int to) const;
  /// Bytes per second of the slowest link on the way; infinite within a node.
  [[nodiscard]] double bandwidth(int from, int to) const;
  /// "0->1" and the like: what link `number` joins.
  [[nodiscard]] std::string link_name(int number) const;
  [[nodiscard]] int links() const noexcept { return static_cast<int>(links_.size()); }

 private:
  struct link {
    double bandwidth = 0, latency = 0;
    double free = 0;  ///< when the packets that came so far have gone
    bool port = false;
    std::string name;
  };
  enum class happening : std::uint8_t { start, emit, free_engine, hop, arrive };
  struct event {
    double time = 0;
    std::uint64_t order = 0;  ///< ties: first made, first done
    happening what = happening::start;
    id which = 0;  ///< free_engine: the node
    std::uint32_t hop = 0;
    std::size_t bytes = 0;
    double tail = 0;  ///< when the packet's last byte is at the link
    friend bool operator>(const event& a, const event& b) noexcept {
      return a.time != b.time ? a.time > b.time : a.order > b.order;
    }
  };
  /// What a flight needs while it lasts.
  struct progress {
    std::vector<int> route;
    std::size_t left = 0;     ///< bytes not emitted
    std::size_t packets = 0;  ///< emitted and not arrived
    std::size_t piece = 1;
    id behind = none;  ///< the transfer that waits for the same engine next
  };
  struct engine {
    id first = none, last = none;  ///< of those that wait
    bool busy = false;
  };

  void add_flights();
  void build_torus();
  void build_tree(bool fat);
  int add_link(double bandwidth, double latency, std::string name, bool port = false);
  void find_route(int from, int to, std::vector<int>& out) const;
  void find_route(int from, int to, const transfer_kind& kind, std::vector<int>& out) const;
  void host_route(int node, bool up, std::vector<int>& out) const;
  void torus_route(int from, int to, std::vector<int>& out) const;
  void tree_route(int from, int to, std::vector<int>& out) const;
  int pair_link(int from, int to) const;
  void push(double time, happening what, id which, std::uint32_t hop = 0, std::size_t bytes = 0,
            double tail = 0);
  void begin(double time, id which);
  void emit(double time, id which);
  void cross(const event& e);
  void leave_engine(double time, int node);

  std::shared_ptr<const system> system_;
  int nodes_;
  mutable std::vector<link> links_;
  std::vector<int> port_out_, port_in_;  // by node; empty = no ports
  int to_host_ = -1;                     // the link into the one host of all nodes; next: out of it
  std::vector<int> extent_;              // torus: of each dimension in use
  std::vector<int> first_;  // torus: first link of a node; trees: first link of a level
  mutable std::unordered_map<std::uint64_t, int> pairs_;  // all_to_all: links made so far

  std::priority_queue<event, std::vector<event>, std::greater<>> events_;
  std::uint64_t order_ = 0;
  std::vector<flight> flights_;
  std::vector<progress> progress_;
  std::vector<id> free_;
  std::vector<engine> engines_;
  std::vector<double> adapters_;  ///< by node: when its adapter has read the packets so far
};

}  // namespace gossamer::model
