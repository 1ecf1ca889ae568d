// Shortest paths from one source along non-negative weights: distances, and parents on request.
//
// Delta-stepping (Meyer and Sanders, J. Algorithms 49, 2003): vertices wait in buckets of width
// delta by their tentative distance, buckets are worked off in order, and a vertex whose distance
// falls is put into a bucket again. On one CPU rank threads share large buckets and work on what
// they find in the same bucket by themselves (bucket fusion: Zhang et al., CGO 2020); on several
// ranks each works its part of a bucket off, then sends what it found for others: the smallest
// distance that it knows for each of their vertices, and only where that has become smaller.
//
// Engine async has neither buckets nor rounds: a distributed worklist in the rough order of
// distances (dataflow/distributed_worklist.hpp). Engine tasks has the same buckets, each worked off
// by tasks that wait for memory and messages (task/global_tasks.hpp).
//
// On machines whose ranks are all GPUs of this process (cuda:0, cuda:0-3, cuda:0*3) there are
// engines sync, where the first GPU searches, and async, where all may (`use`), both by the
// worklist's kernel: near-far (Davidson et al., IPDPS 2014). Distances are timed by the device's
// own clock: uploading the graph and bringing them to the host are not in it. Parents are found
// from them by the host's threads. Engine host is the same worklist with a host thread a GPU that
// launches its rounds and sends through links and routers (timed by the host's clock): slower, but
// there also where kernels of different ranks cannot wait for each other.
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

/// Distances by vertex: of integer weights 32 bits without a sign, else of the weights' type. What
/// is not reached has the type's largest value, of floats infinity.
using distance_array =
    std::variant<shared_array<std::uint32_t>, shared_array<float>, shared_array<double>>;

struct sssp_options {
  /// auto (sync; async where all of several GPUs are asked for) | sync (delta-stepping) | async (a
  /// distributed worklist, one thread a rank) | tasks (delta-stepping by tasks that wait for memory
  /// and messages, one thread a rank) | host (on GPUs: the worklist of async, driven by host
  /// threads through links and routers); other names throw usage_error.
  std::string engine = "auto";
  /// Width of a bucket, or of the first window of engine async, whose later ones adapt: in the unit
  /// of weights, more than zero; none: what the graph's metadata names (advised_delta()), else
  /// chosen from weights and degrees.
  std::optional<double> delta;
  /// How idle ranks of engine async get work from others: none | steal (parts of their rows;
  /// dataflow/distributed_worklist.hpp). CPU ranks; other engines and names throw
  /// usage_error.
  std::string balance = "none";
  /// Order of the worklist of engines async and host: soft (the smallest distance first, roughly) |
  /// none (first in, first out: one window, for comparison). none throws usage_error with another
  /// engine, and with a delta; other names do.
  std::string priority = "soft";
  /// Which rank owns which vertices: auto (contiguous ranges, as many arcs each) | ranges |
  /// edges | hash | metis (graph/partition.hpp) | file (`part_of`). Results are in the caller's
  /// numbering whatever it is: where parts are no ranges, the graph is renumbered once. A partition
  /// is one for all ranks: with one, `use` is all, and engine sync, which searches on one of
  /// several GPUs, throws usage_error there. On one rank a name has no effect; a table must fit
  /// there too.
  std::string partition = "auto";
  std::vector<std::int32_t> part_of;  ///< of "file": the part of every vertex
  /// How messages of engine host travel: direct (to the owner) | ring (to the next rank, which
  /// keeps what is its own and passes the rest on). Other engines take direct alone: usage_error.
  std::string route = "direct";
  /// Bytes of the largest segment of engine host's links; 0: chosen.
  std::int64_t packet = 0;
  /// Also a tree: the parent of a vertex is the neighbour with the smallest id among those at a
  /// smaller distance whose arc is tight (distance + weight is the vertex's distance); where only
  /// arcs from the same distance are (weights of zero, or lost in rounding), among those fewest
  /// such arcs away. By this order of (distance, arcs, id) chains of parents end at the source. A
  /// directed graph is transposed for it once.
  bool parents = false;
  /// Of several GPUs with engines async and host: automatic takes one for networks of short rows
  /// and graphs of fewer than 2^28 arcs, where several were slower, unless one lacks memory. Engine
  /// sync works on one whatever it says; all makes auto async
  /// there (host where kernels take turns).
  rank_use use = rank_use::automatic;
  /// Asks for the same parents in every run. These are, with or without.
  bool deterministic = false;
  std::int64_t memory = 0;  ///< bytes, 0 = configuration / device
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
  /// Times that a bucket was taken up (by all ranks together), or a window; on a GPU times that its
  /// blocks met after relaxing.
  std::int64_t rounds = 0;
  /// Source to finished distances and parents; slowest rank (on GPUs, see above). To put distances
  /// back into the caller's numbering, where a partition asks for it, is not in it.
  double milliseconds = 0;
  /// Seconds by name: "relax", "parents" when asked for; on several CPU ranks "exchange", "agree".
  std::vector<std::pair<std::string, double>> phases;
  /// Engines async and host: what the worklist did, all ranks together. Empty with other engines.
  std::optional<worklist_counters> work;
  result_values<distance_array> distances;
  /// Parent of every vertex, -1 = not reached; parent of source = source. Empty unless asked for.
  shared_array<std::int64_t> parents;
};

/// A search prepared for a graph on a machine: weights checked, work memory planned; run from any
/// number of sources. CPU ranks own contiguous ranges of rows and read them where the caller has
/// them, or, with a partition, of a copy in the order of its parts; to a GPU they are uploaded
/// once.
class sssp_search {
 public:
  /// usage_error when there are no weights, delta is out of range or the partition does not fit
  /// (not_compiled for metis in builds without it), input_error naming the arc
  /// with a weight that is negative or not finite, not_compiled for GPU ranks with engine tasks,
  /// beside CPU ranks or of MPI processes (and in builds without CUDA), capacity_error with the
  /// plan. The machine must outlive it.
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

/// Checks distances, and parents unless empty, independently of the code that made them: the source
/// is at 0; no arc from a reached vertex would shorten a distance; every reached vertex but the
/// source has a tight arc into it from a reached one, and chains of such arcs lead back to the
/// source; what is not reached is at infinity. Parents: an arc that is tight, chains that end at
/// the source. Distances of floats are compared exactly: sums are taken along paths from the
/// source, each rounded to the type. cancelled_error within milliseconds of a request to `stop`.
verification verify_sssp(const graph& g, std::int64_t source, const distance_array& distances,
                         std::span<const std::int64_t> parents = {}, int threads = 0,
                         const std::stop_token& stop = {});

/// Compares distances with those of somebody else, in double precision (infinity: not reached):
/// exactly for integer weights, else within `tolerance` times the distance.
verification compare_distances(const graph& g, const distance_array& distances,
                               std::span<const double> expected, double tolerance = 1e-5);

}  // namespace gossamer
