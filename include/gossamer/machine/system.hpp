// Modelled systems: hardware as numbers, for the fabric `sim` and for predictions without payload.
//
// A description is a small TOML file (share/systems/*.toml, compiled into the library; any path
// works too) in which each number names its source. Units are seconds, bytes, bytes per second and
// floating-point operations per second. docs/design/simulation.md says what the model does with
// them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gossamer::model {

/// The two memories of a modelled node: its device's (windows with home::native) and its host's.
enum class memory : std::uint8_t { device, host };
std::string_view to_string(memory where) noexcept;

enum class topology_kind : std::uint8_t { torus, ring, all_to_all, fat_tree, pcie_tree };
std::string_view to_string(topology_kind kind) noexcept;

/// What moves the bytes of a transfer, and so what it keeps busy.
enum class mover : std::uint8_t {
  processor,  ///< the issuing processor stores them itself (PIO): it is busy until all have left
  engine,     ///< the node's one DMA engine: transfers queue; a chain is set up once
  adapter,    ///< a network adapter: any number at a time, taking turns packet by packet
};
std::string_view to_string(mover by) noexcept;

/// One way of moving bytes. Which one a transfer takes follows from where source and target live
/// and from its size: the first row of the description that fits.
struct transfer_kind {
  std::string name;
  memory from = memory::host, to = memory::host;
  std::size_t up_to = 0;  ///< largest size in bytes; 0 = any
  mover by = mover::adapter;
  double start = 0;      ///< s the issuing processor is busy, once per start (chain)
  double setup = 0;      ///< s from the start to the first byte, once per start (chain)
  double gap = 0;        ///< s of the engine for each further transfer of a chain
  double latency = 0;    ///< s from the last byte's arrival at the node to its being seen
  double bandwidth = 0;  ///< bytes/s that source and mover sustain
};

/// Work on a node: a GPU kernel, or a loop of the host's processor.
struct worker {
  double launch = 0;     ///< s until the work begins, and for its end to be known
  double bandwidth = 0;  ///< bytes/s to and from memory
  double rate = 0;       ///< floating-point operations per second
  /// Bytes of memory traffic that an access to a random place costs, beyond the cache.
  double scatter = 32;
  /// Bytes of the cache before the memory, where an access costs a sector. 0: none.
  double cache = 0;
  /// Threads at a time: what is worked on together is read before any of it is written. 0: one
  /// after the other.
  double threads = 0;
  /// s from one pass of a kernel that stays to its next one. Nothing charges it: a kernel that
  /// stays is described by `launch` being this.
  double pass = 0;
  /// Bytes of a link that an access of 4 bytes to a random place of a peer's memory costs. No
  /// engine makes such accesses, so that nothing charges it.
  double remote = 0;
  /// launch + max(bytes / bandwidth, operations / rate).
  [[nodiscard]] double seconds(double bytes, double operations) const noexcept;
};

/// Wires and switches between the nodes.
struct interconnect {
  topology_kind kind = topology_kind::all_to_all;
  /// torus: extent of each dimension; more ranks than it holds make the last one longer. ring,
  /// all_to_all: empty. trees: children per level, from the nodes upwards, enough for `largest`.
  std::vector<int> size;
  std::vector<double> latency;    ///< s per hop; trees: per level, else one value
  std::vector<double> bandwidth;  ///< bytes/s of each link and direction; the same lengths
  double port_bandwidth = 0;      ///< between a node and its hub, each direction; 0 = no limit
  std::size_t packet = 4096;      ///< smallest piece that flows take turns with, in bytes
  /// Trees: all nodes have one host, at the top switch, by a link of this bandwidth and latency.
  /// What moves between a device and the host's memory takes its node's links and this one. 0: each
  /// node has a host of its own.
  double host_bandwidth = 0, host_latency = 0;
  [[nodiscard]] bool one_host() const noexcept { return host_bandwidth > 0; }
};

/// A node's processors, their cores and what lies between them and memory, for programs whose ranks
/// are its cores (pointer chasing).
struct chips {
  int count = 1, cores = 1;   ///< chips of a node, cores of each
  int misses = 1, queue = 1;  ///< that a core has under way at a time, and all cores of a chip
  double latency = 0;         ///< s of a reference to memory by itself
  double rate = 0;            ///< references/s that the controllers of one chip's memory answer
  double link = 0;            ///< references/s between two chips
  double step = 0;            ///< s of a core from one task to the next
  double update = 0;  ///< s of a core to draw a place that it changes, beside the cache's latency
  int ahead = 0;      ///< tasks that a core goes on with while one's line has not come
  std::vector<double> cache_bytes;    ///< from the core outwards; the last is shared by a chip
  std::vector<double> cache_latency;  ///< s, the same length
};

/// Costs of the communication software that a ping-pong does not show.
struct software {
  double call = 0;  ///< s per collective operation
  double step = 0;  ///< s per step of a collective that waits for a peer
  double poll = 0;  ///< s between two looks of a program that polls without waiting, and for each
                    ///< further peer that a step waits for
  bool via_host =
      false;  ///< all of its collectives go through host memory, whatever their rows say
  bool searched = false;  ///< each of its collectives has a mapping of its own
};

/// What the system's own communication software does for a collective up to a size. Names are those
/// of collective_algorithms(); the layer that plans collectives checks them.
struct collective_row {
  enum class scale : std::uint8_t { none, times_ranks, over_ranks };
  std::string operation, algorithm;
  std::size_t up_to = 0;       ///< largest size in bytes as rules count it (see rules.hpp); 0 = any
  scale scaled = scale::none;  ///< `up_to` is multiplied or divided by the number of ranks
  std::optional<memory> buffers;  ///< holds for buffers in this memory only
  bool via_host = false;          ///< collective_request::via_host
  bool searched = false;          ///< ranks are placed by search_mapping
  /// Largest size among so many ranks; 0 = any.
  [[nodiscard]] std::size_t limit(int ranks) const noexcept;
};

std::string_view to_string(collective_row::scale s) noexcept;

struct system {
  std::string name, title, node, source;
  int nodes = 0;  ///< how many the real one has; 0 = any number
  /// The largest that its topology may be extended to, at least `nodes`; 0 = any number. Default:
  /// `nodes`. What lies between the two is said to be beyond the hardware (beyond()).
  int largest = 0;
  /// Where a rank's own memory (home::native) is: its device, or, for programs of the hosts' CPUs,
  /// the host's. Spec: "native=host".
  memory native = memory::device;
  interconnect network;
  std::vector<transfer_kind> transfers;  ///< between nodes
  std::vector<transfer_kind> copies;     ///< within a node
  worker kernel, processor;
  std::optional<model::chips> chips;
  gossamer::model::software software;
  std::vector<collective_row> collectives;  ///< empty: no software of its own

  /// usage_error with the system's own size when `ranks` are more than it may have.
  void check_ranks(int ranks) const;
  /// A sentence for predictions with more ranks than the hardware had; empty for others.
  [[nodiscard]] std::string beyond(int ranks) const;

  /// The row that `bytes` from `from` to `to` take, between nodes or within one.
  [[nodiscard]] const transfer_kind& kind_of(memory from, memory to, std::size_t bytes,
                                             bool within) const;
  /// The first row for this operation that fits; nullptr when the description has none.
  [[nodiscard]] const collective_row* collective_of(std::string_view operation, std::size_t bytes,
                                                    int ranks, memory buffers) const noexcept;
};

/// The systems compiled in, by name.
std::vector<std::string> system_names();
/// The text of a description that is compiled in; usage_error with the names otherwise.
std::string_view system_text(std::string_view name);

/// Reads a description: a name of system_names(), or a path (anything with a '/' or ".toml").
/// `changes` are "key=value" ("native=host"), "table.key=value" ("network.latency=2e-7") or, for
/// rows, "table.row.key=value" ("transfer.dma.bandwidth=3e9", every row of that name). Throws
/// input_error ("FILE:LINE: …") for a bad file, usage_error for an unknown name or a change of what
/// is not there.
std::shared_ptr<const system> load_system(const std::string& name,
                                          const std::vector<std::string>& changes = {});

}  // namespace gossamer::model
