// Weak components: which vertices are connected, whatever the direction of arcs.
//
// Hooking and compressing (Shiloach and Vishkin, J. Algorithms 3, 1982) in Afforest's order
// (Sutton, Ben-Nun, Barak, IPDPS 2018): first two arcs of every vertex, which connects most of a
// graph's largest component, then all arcs of vertices outside it. Several ranks hook the arcs of
// their own rows, then merge their labels by pairs, pairs of pairs, … into rank 0's, as paper C's
// reduction router does. Engine async propagates smallest labels by a distributed worklist. Engine
// tasks joins rows in a forest of each rank's, and tells owners of roots by delegated operations.
// Engine routed is paper C's own form: edges in segments to whichever rank is free, then merged.
//
// On machines whose ranks are all GPUs of this process (cuda:0, cuda:0-3, cuda:0*3) there are
// engines sync, async and host, whose worklist is async's, driven by host threads. Their times are
// those of the devices' own clocks: reading and uploading the graph, and bringing labels to the
// host, are not in them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
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

/// Labels by vertex, as wide as the graph's ids.
using label_array = std::variant<shared_array<vertex32>, shared_array<vertex64>>;

struct components_options {
  /// auto (sync) | sync (hook and compress) | async (smallest labels by a distributed worklist, one
  /// thread a rank; writes a directed graph's arcs down in both directions) | tasks (a forest a
  /// rank by tasks that wait for memory and messages, one thread a rank) | routed (paper C's: edges
  /// sent to whichever rank is free, labels merged in a tree of ranks; on CPUs and GPUs together,
  /// too) | host (GPUs: the worklist of async, each round launched and each message sent by a host
  /// thread, through links and routers); other names throw usage_error.
  std::string engine = "auto";
  /// How idle ranks of engine async get work from others: none | steal (parts of their rows;
  /// dataflow/distributed_worklist.hpp). CPU ranks; usage_error with another engine.
  std::string balance = "none";
  /// Order of engine async's worklist: soft (the smallest label first, roughly) | none (first in,
  /// first out, for comparison; CPU ranks). none throws usage_error with another engine; other
  /// names do.
  std::string priority = "soft";
  /// Which rank owns which vertices: auto (contiguous ranges, as many arcs each) | ranges |
  /// edges | hash | metis (graph/partition.hpp) | file (`part_of`). Results are in the caller's
  /// numbering whatever it is: where parts are no ranges, the graph is renumbered once. A partition
  /// is one for all ranks: with one, `use` is all. On one rank a name has no effect; a table must
  /// fit there too. Engine routed, whose ranks own nothing, takes auto alone.
  std::string partition = "auto";
  std::vector<std::int32_t> part_of;  ///< of "file": the part of every vertex
  /// Engine host: how messages reach their vertex's owner: direct | ring (from each rank to the
  /// next). ring throws usage_error with another engine; other names do.
  std::string route = "direct";
  /// Bytes of the largest segment, of edges (routed) or of messages (host); 0 = chosen. usage_error
  /// with another engine.
  std::int64_t packet = 0;
  /// Asks for the same labels in every run. They are, with or without.
  bool deterministic = false;
  rank_use use = rank_use::automatic;
  std::int64_t memory = 0;  ///< bytes, 0 = configuration / device
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
  /// Graph to finished labels; slowest rank (on GPUs, see above). To put labels back into the
  /// caller's numbering, where a partition asks for it, is not in it.
  double milliseconds = 0;
  /// Seconds by name: "sample", "hook", "compress"; on several ranks "merge". Of async and host
  /// "propagate"; on several ranks "exchange" (sending), "agree" (waiting). Of engine routed "pack"
  /// (rank 0 makes edges), "hook", "exchange" (sending, waiting), "compress"; on several "merge".
  std::vector<std::pair<std::string, double>> phases;
  /// Engines async and host: what their worklist did, all ranks together. Empty with others.
  std::optional<worklist_counters> work;
  /// Engine routed: the edges that each rank got. Empty with other engines.
  std::vector<std::int64_t> edges_of_ranks;
  /// The smallest vertex (index) of each vertex's component.
  result_values<label_array> labels;
};

/// Prepared for a graph on a machine: memory planned; run any number of times. Ranks own contiguous
/// ranges of rows; CPU ranks read them where the caller has them, or, with a partition, of a copy
/// in the order of its parts; to GPUs they are uploaded once.
class components_search {
 public:
  /// not_compiled for GPU ranks with engine tasks, of MPI processes, and but with routed beside CPU
  /// ranks (and in builds without CUDA), and for metis in builds without it, usage_error for
  /// unknown engines and a partition that does not fit, capacity_error with the plan. The machine
  /// must outlive it.
  components_search(machine& all, const graph& g, const components_options& options = {});
  ~components_search();
  components_search(components_search&&) noexcept;

  /// What it takes beside the graph.
  [[nodiscard]] static memory_plan plan(const machine& all, const graph& g,
                                        const components_options& options = {});
  /// The same before there is a graph.
  [[nodiscard]] static memory_plan plan(const machine& all, const graph_shape& g,
                                        const components_options& options = {});
  /// Where ranks are processes, collective, and every process has the whole result.
  components_result run();
  /// Later runs are bounded, cancelled and traced as `how` says.
  void follow(const run_options& how);

  /// A search as the constructor makes it, or one that an earlier call left (placement/kept.hpp);
  /// the caller's alone.
  static std::shared_ptr<components_search> prepare(machine& all, const graph& g,
                                                    const components_options& options = {});

 private:
  struct state;
  static void finish_on_host(const state& s, components_result& result);
  std::unique_ptr<state> state_;
};

/// Convenience: prepare, run once.
components_result components(machine& m, const graph& g, const components_options& options = {});

/// Checks labels independently of the code that made them: a breadth-first search over both
/// directions from every vertex, in ascending order, that no earlier one has met must meet that
/// vertex's label and no other. O(n + m), and a directed graph's reversed arcs. cancelled_error
/// within milliseconds of a request to `stop`.
verification verify_components(const graph& g, const label_array& labels,
                               const std::stop_token& stop = {});

}  // namespace gossamer
