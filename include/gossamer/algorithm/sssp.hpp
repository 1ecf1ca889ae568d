// Shortest paths from one source along non-negative weights: distances, and parents on request.
//
// Delta-stepping (Meyer and Sanders, J. Algorithms 49, 2003): vertices wait in buckets of width
// delta by their tentative distance. Buckets are worked off in order, and a vertex whose distance
// falls is put into a bucket again. On one CPU rank threads share large buckets; what a thread
// finds in the same bucket it works on by itself (bucket fusion: Zhang et al., CGO 2020). On
// several ranks each works its part of a bucket off, then sends the others what it found: for each
// of their vertices the smallest distance that it knows, and only where that has become smaller.
//
// Engine async has neither buckets nor rounds: a distributed worklist in the rough order of
// distances (dataflow/distributed_worklist.hpp). Engine tasks has the same buckets, each worked off
// by tasks that wait for memory and messages (task/global_tasks.hpp).
//
// On machines whose ranks are all GPUs of this process (cuda:0, cuda:0-3, cuda:0*3) there are
// engines sync, where the first GPU searches, and async, where all may (`use`). Both run the
// worklist's kernel: near-far (Davidson et al., IPDPS 2014). Distances are timed by the device's
// own clock, without uploading the graph and bringing them to the host. Parents are found from them
// by the host's threads. Engine host is the same worklist with a host thread a GPU, which launches
// its rounds and sends through links and routers (timed by the host's clock). It is slower, but
// works also where kernels of different ranks cannot wait for each other.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "gossamer/algorithm/rank_use.hpp"
#include "gossamer/algorithm/result_values.hpp"
#include "gossamer/algorithm/verification.hpp"
#include "gossamer/dataflow/worklist_counters.hpp"
#include "gossamer/graph/csr.hpp"
#include "gossamer/placement/placed_graph.hpp"

namespace gossamer {

/// Distances by vertex: 32 bits without a sign for integer weights, else of the weights' type. A
/// vertex that is not reached has the type's largest value, of floats infinity.
using distance_array =
    std::variant<shared_array<std::uint32_t>, shared_array<float>, shared_array<double>>;

struct sssp_options {
  /// One of these names; others throw usage_error.
  ///   auto   sync; async where all of several GPUs are asked for
  ///   sync   delta-stepping
  ///   async  a distributed worklist, one thread a rank
  ///   tasks  delta-stepping by tasks that wait for memory and messages, one thread a rank
  ///   host   GPUs: async's worklist, driven by host threads through links and routers
  std::string engine = "auto";
  /// Width of a bucket, or of the first window of engine async, whose later ones adapt. In the unit
  /// of weights, more than zero. None: what the graph's metadata names (advised_delta()), else
  /// chosen from weights and degrees.
  std::optional<double> delta;
  /// How idle ranks get work from others: none | steal (parts of their rows). Engine async on CPU
  /// ranks (dataflow/distributed_worklist.hpp), and engine host on GPUs of one process that address
  /// each other's memory; else usage_error, as for other names.
  std::string balance = "none";
  /// Order of the worklist of engines async and host: soft (the smallest distance first, roughly)
  /// or none (first in, first out: one window, for comparison). Other names throw usage_error, and
  /// so does none with another engine or with a delta.
  std::string priority = "soft";
  /// Which rank owns which vertices: auto (contiguous ranges, as many arcs each), ranges, edges,
  /// hash, metis (graph/partition.hpp) or file (`part_of`). Results are always in the caller's
  /// numbering: where parts are not ranges, the graph is renumbered once. A partition is for all
  /// ranks, so with one `use` is all; engine sync, which searches on one of several GPUs, throws
  /// usage_error there. On one rank a name has no effect, but a table must fit.
  std::string partition = "auto";
  std::vector<std::int32_t> part_of;  ///< of "file": the part of every vertex
  /// How messages of engine host travel: direct (to the owner) | ring (to the next rank, which
  /// keeps what is its own and passes the rest on). Other engines take direct alone: usage_error.
  std::string route = "direct";
  /// Bytes of the largest segment of engine host's links; 0: chosen.
  std::int64_t packet = 0;
  /// Also finds a tree. An arc is tight if distance + weight is the distance of its target. The
  /// parent of a vertex is the neighbour with the smallest id among those at a smaller distance
  /// whose arc is tight. Where only arcs from the same distance are tight (weights of zero, or lost
  /// in rounding), it is the smallest id among the neighbours with the fewest such arcs behind
  /// them. By this order of (distance, arcs, id) chains of parents end at the source. A directed
  /// graph is transposed for it once.
  bool parents = false;
  /// How many of several GPUs work. With engines async and host, automatic takes one for networks
  /// of short rows and graphs of fewer than 2^28 arcs, where several were slower, unless one lacks
  /// memory. Engine sync always works on one. all makes engine auto async there, or host where
  /// kernels take turns.
  rank_use use = rank_use::automatic;
  /// Asks for the same parents in every run. They are the same without it, too.
  bool deterministic = false;
  std::int64_t memory = 0;               ///< bytes, 0 = configuration / device
  spilling spill = spilling::automatic;  ///< rows that GPUs have no room for
  run_options run;
};

struct sssp_result {
  std::int64_t source = 0;  ///< index, 0-based
  std::string engine;
  std::string engine_reason;     ///< why it
  int ranks_used = 0;            ///< that worked
  std::string ranks_reason;      ///< why not all; empty when all did
  double delta = 0;              ///< that was used; 0 with priority none
  std::string delta_reason;      ///< why it; empty with priority none
  std::int64_t reached = 0;      ///< vertices with a distance, source included
  std::int64_t relaxations = 0;  ///< arcs looked at, all ranks
  /// Times that all ranks together took up a bucket, or a window. On a GPU: times that its blocks
  /// met after relaxing.
  std::int64_t rounds = 0;
  /// Source to finished distances and parents; slowest rank (on GPUs, see above). Does not count
  /// putting distances back into the caller's numbering, where a partition needs that.
  double milliseconds = 0;
  /// Seconds by name: "relax", "parents" when asked for; on several CPU ranks "exchange", "agree".
  std::vector<std::pair<std::string, double>> phases;
  /// Engines async and host: what the worklist did, all ranks together. Empty with other engines.
  std::optional<worklist_counters> work;
  result_values<distance_array> distances;
  /// Parent of every vertex, -1 = not reached; parent of source = source. Empty unless asked for.
  shared_array<std::int64_t> parents;
};

/// A search prepared for a graph on a machine: weights are checked, work memory is planned, and it
/// runs from any number of sources. CPU ranks own contiguous ranges of rows. They read the caller's
/// rows or, with a partition, those of a copy in the order of its parts. Rows are uploaded to GPUs
/// once.
class sssp_search {
 public:
  /// Throws usage_error when there are no weights, delta is out of range or the partition does not
  /// fit. input_error names the arc whose weight is negative or not finite. not_compiled for metis
  /// in builds without it, and for GPU ranks with engine tasks, beside CPU ranks, of MPI processes,
  /// or in builds without CUDA. capacity_error with the plan. The machine must outlive it.
  sssp_search(machine& all, const graph& g, const sssp_options& options = {});
  ~sssp_search();
  sssp_search(sssp_search&&) noexcept;

  /// What it takes beside the graph.
  [[nodiscard]] static memory_plan plan(const machine& all, const graph& g,
                                        const sssp_options& options = {});
  /// The same before there is a graph; `weight_bytes`: 4 or 8.
  [[nodiscard]] static memory_plan plan(const machine& all, const graph_shape& g, int weight_bytes,
                                        const sssp_options& options = {});
  /// `source`: index 0 … n-1, else usage_error. usage_error as well when a distance does not fit
  /// its type. Where ranks are processes, collective, and every process has the whole result.
  sssp_result run(std::int64_t source);
  /// Later runs are bounded, cancelled and traced as `how` says.
  void follow(const run_options& how);

  /// A search as the constructor makes it, or one that an earlier call left (placement/kept.hpp);
  /// the caller's alone.
  static std::shared_ptr<sssp_search> prepare(machine& all, const graph& g,
                                              const sssp_options& options = {});

 private:
  struct state;
  std::unique_ptr<state> state_;
};

/// Convenience: prepare, run once.
sssp_result sssp(machine& m, const graph& g, std::int64_t source, const sssp_options& options = {});

/// Checks distances, and parents unless empty, independently of the code that made them. The source
/// is at 0, and what is not reached is at infinity. No arc from a reached vertex would shorten a
/// distance. Every reached vertex but the source has a tight arc into it from a reached one, and
/// chains of such arcs lead back to the source. A parent's arc is tight, and chains of parents end
/// at the source. Distances of floats are compared exactly, since sums are taken along paths from
/// the source, each rounded to the type. With the rule `smallest` parents are those that
/// sssp_options::parents names. cancelled_error within milliseconds of a request to `stop`.
verification verify_sssp(const graph& g, std::int64_t source, const distance_array& distances,
                         std::span<const std::int64_t> parents = {}, int threads = 0,
                         const std::stop_token& stop = {}, parent_rule rule = parent_rule::any);

/// Compares distances with somebody else's, in double precision (infinity: not reached): exactly
/// for integer weights, else within `tolerance` times the distance.
verification compare_distances(const graph& g, const distance_array& distances,
                               std::span<const double> expected, double tolerance = 1e-5);

}  // namespace gossamer
