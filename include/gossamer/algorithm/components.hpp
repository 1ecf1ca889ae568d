// Weak components: which vertices are connected, whatever the direction of arcs.
//
// Hooking and compressing (Shiloach and Vishkin, J. Algorithms 3, 1982) in Afforest's order
// (Sutton, Ben-Nun, Barak, IPDPS 2018). First come two arcs of every vertex, which connect most of
// a graph's largest component, then all arcs of vertices outside it. Several ranks hook the arcs of
// their own rows. Then they merge labels by pairs, pairs of pairs, … into rank 0's, as paper C's
// reduction router does.
//
// Engine async propagates smallest labels by a distributed worklist. Engine tasks joins rows in one
// forest per rank, and tells owners of roots by delegated operations. Engine routed is paper C's
// own form: edges go in segments to whichever rank is free, and labels are merged at the end.
//
// On machines whose ranks are all GPUs of this process (cuda:0, cuda:0-3, cuda:0*3) there are
// engines sync, async and host. The worklist of host is async's, driven by host threads. Times are
// those of the devices' own clocks: they leave out reading and uploading the graph, and bringing
// labels to the host.
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "gossamer/algorithm/prepared_search.hpp"
#include "gossamer/algorithm/rank_use.hpp"
#include "gossamer/algorithm/result_values.hpp"
#include "gossamer/algorithm/verification.hpp"
#include "gossamer/dataflow/worklist_counters.hpp"
#include "gossamer/graph/csr.hpp"

namespace gossamer {

/// Labels by vertex, as wide as the graph's ids.
using label_array = std::variant<shared_array<vertex32>, shared_array<vertex64>>;

struct components_options {
  /// One of these names; others throw usage_error.
  ///   auto    sync
  ///   sync    hook and compress
  ///   async   smallest labels by a distributed worklist, one thread a rank; writes a directed
  ///           graph's arcs down in both directions
  ///   tasks   a forest a rank, by tasks that wait for memory and messages, one thread a rank
  ///   routed  paper C's: edges sent to whichever rank is free, labels merged in a tree of ranks;
  ///           also on CPUs and GPUs together
  ///   host    GPUs: async's worklist, but a host thread launches each round and sends each message
  ///           through links and routers
  std::string engine = "auto";
  /// How idle ranks get work from others: none | steal (parts of their rows). Engine async on CPU
  /// ranks (dataflow/distributed_worklist.hpp), and engine host on GPUs of one process that address
  /// each other's memory; else usage_error.
  std::string balance = "none";
  /// Order of the worklist of engines async and host: soft (the smallest label first, roughly) or
  /// none (first in, first out, for comparison). Other names throw usage_error, and so does none
  /// with another engine.
  std::string priority = "soft";
  /// Which rank owns which vertices: auto (contiguous ranges, as many arcs each), ranges, edges,
  /// hash, metis (graph/partition.hpp) or file (`part_of`). Results are always in the caller's
  /// numbering: where parts are not ranges, the graph is renumbered once. A partition is for all
  /// ranks, so with one `use` is all. On one rank a name has no effect, but a table must fit.
  /// Engine routed, whose ranks own nothing, takes auto alone.
  std::string partition = "auto";
  std::vector<std::int32_t> part_of;  ///< of "file": the part of every vertex
  /// How messages of engine host reach their vertex's owner: direct, or ring (from each rank to the
  /// next). Other names throw usage_error, and so does ring with another engine.
  std::string route = "direct";
  /// Bytes of the largest segment, of edges (routed) or of messages (host); 0 = chosen. usage_error
  /// with another engine.
  std::int64_t packet = 0;
  /// Engine routed: streamed (rank 0's host makes packets of edges in each run and hands them out)
  /// or prestaged (each rank's edges lie in its memory before the clock starts, as in paper C's
  /// public program). Other names throw usage_error, and so do prestaged with another engine and
  /// with `packet`.
  std::string edges = "streamed";
  /// Asks for the same labels in every run. They are the same without it, too.
  bool deterministic = false;
  rank_use use = rank_use::automatic;
  std::int64_t memory = 0;               ///< bytes, 0 = configuration / device
  spilling spill = spilling::automatic;  ///< rows that GPUs have no room for
  run_options run;
};

struct components_result {
  std::string engine;
  std::string engine_reason;       ///< why it
  int ranks_used = 0;              ///< that worked
  std::string ranks_reason;        ///< why not all; empty when all did
  std::int64_t count = 0;          ///< components
  std::int64_t largest = 0;        ///< vertices of the largest
  std::int64_t largest_label = 0;  ///< its label; of several as large the smallest
  /// Graph to finished labels; slowest rank (on GPUs, see above). Does not count putting labels
  /// back into the caller's numbering, where a partition needs that.
  double milliseconds = 0;
  /// Seconds by name.
  ///   sync, tasks    "sample", "hook", "compress"; on several ranks "merge"
  ///   async, host    "propagate"; on several ranks "exchange" (sending), "agree" (waiting)
  ///   routed         "pack" (rank 0 makes edges; 0 where they are prestaged), "hook", "exchange"
  ///                  (sending, waiting), "compress"; on several ranks "merge"
  std::vector<std::pair<std::string, double>> phases;
  /// Engines async and host: what their worklist did, all ranks together. Empty with others.
  std::optional<worklist_counters> work;
  /// Engine routed: the edges that each rank got. Empty with other engines.
  std::vector<std::int64_t> edges_of_ranks;
  /// The smallest vertex (index) of each vertex's component.
  result_values<label_array> labels;
};

/// Prepared for a graph on a machine: memory is planned, and it runs any number of times. Ranks own
/// contiguous ranges of rows. CPU ranks read the caller's rows or, with a partition, those of a
/// copy in the order of its parts. Rows are uploaded to GPUs once.
///
/// The constructor throws not_compiled for GPU ranks with engine tasks, for GPUs of MPI processes,
/// for GPU ranks beside CPU ranks unless the engine is routed, in builds without CUDA, and for
/// metis in builds without it; usage_error for unknown engines and a partition that does not fit.
class components_search : public prepared_search<components_search, components_options> {
 public:
  using prepared_search::prepared_search;

  /// Where ranks are processes, collective, and every process has the whole result.
  components_result run();
};

/// Convenience: prepare, run once.
components_result components(machine& m, const graph& g, const components_options& options = {});

/// Checks labels independently of the code that made them. Vertices are taken in ascending order.
/// From each that no earlier search has met, a breadth-first search over both directions must meet
/// that vertex's label and no other. O(n + m), and a directed graph's reversed arcs.
/// cancelled_error within milliseconds of a request to `stop`.
verification verify_components(const graph& g, const label_array& labels,
                               const std::stop_token& stop = {});

}  // namespace gossamer
