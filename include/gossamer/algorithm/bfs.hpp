// Breadth-first search: parents and depths from one source, over every rank of a machine.
//
// Level-synchronised, direction-optimising (Beamer, Asanović, Patterson, SC'12): small frontiers go
// top-down from a queue, large ones bottom-up over a bitmap. 1-D partition: a rank owns its
// vertices' rows. Top-down sends (vertex, parent) pairs to owners, each remote vertex at most once
// per source rank in a whole traversal; bottom-up exchanges frontier bitmaps. One scalar allreduce
// per level agrees on direction and end.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "gossamer/algorithm/verification.hpp"
#include "gossamer/dataflow/worklist_counters.hpp"
#include "gossamer/placement/placed_graph.hpp"

namespace gossamer {

enum class bfs_direction : std::uint8_t { automatic, top_down, bottom_up };

struct bfs_options {
  bfs_direction direction = bfs_direction::automatic;
  /// One of these names; others throw not_compiled or usage_error.
  ///   auto           single_kernel on GPUs that address each other's memory, else sync
  ///   sync           levels stepped by the host
  ///   single_kernel  GPUs: one kernel on each runs the whole traversal
  ///   published      paper B's messages of fixed size, for comparison; top-down, with the parents
  ///                  that come first
  ///   vector_queue   paper A's, whose work memory does not depend on the number of arcs
  ///   async          a distributed worklist without levels; CPU and modelled ranks, and GPUs of
  ///                  one process with ids of 32 bits
  ///   host           such GPUs: async's worklist, but a host thread launches each round and sends
  ///                  each message through links and routers
  ///   tasks          levels by tasks that wait for memory and messages; CPU and modelled ranks of
  ///                  one thread each, top-down
  std::string engine = "auto";
  /// How engine vector_queue reaches the queues of other ranks. copy: into two receive buffers,
  /// while the queue received before is worked on. direct: read where they are; usage_error where
  /// ranks cannot. auto: copy. usage_error with another engine.
  std::string transport = "auto";
  /// Where engine vector_queue leaves parents and depths:
  ///   stay        on their ranks, until asked for
  ///   overlapped  in host memory; what each level found goes there while the next one runs
  ///   slices      in host memory, at the end, from all ranks at the same time
  ///   serial      as paper A has it: at the end, a label a vertex, from one rank after the other
  /// With all but stay the search lasts until the host has them, and GPUs' results are arrays of
  /// the host. usage_error with another engine, and with `deterministic`.
  std::string results = "stay";
  /// Bytes of a label (a parent) of engine vector_queue on its way to the host: 4 or 8, and no
  /// fewer than the graph's ids have. 0: 8 with serial results, as paper A has it, else as an id.
  /// Modelled GPUs are charged for labels of that width. Other numbers throw usage_error.
  std::int64_t label_bytes = 0;
  /// How engine vector_queue eliminates duplicates. vector is paper A's way: two parents of a
  /// vertex scatter into the same place. sort-unique is the older way: all neighbours go into a
  /// queue that is sorted, whose memory depends on the number of arcs. usage_error with another
  /// engine.
  std::string duplicates = "vector";
  /// How idle ranks get work from others: none | steal (parts of their rows). Engine async on CPU
  /// ranks (dataflow/distributed_worklist.hpp), and engine host on GPUs of one process that address
  /// each other's memory; else usage_error.
  std::string balance = "none";
  /// Order of the worklist of engines async and host: soft (the smallest depth first, roughly) or
  /// none (first in, first out, for comparison). Other names throw usage_error, and so does none
  /// with another engine.
  std::string priority = "soft";
  /// How messages of engine host reach their vertex's owner: direct, or ring (from each rank to the
  /// next). Other names throw usage_error, and so does ring with another engine.
  std::string route = "direct";
  /// Engine host: bytes of the largest segment of messages; 0 = chosen. usage_error with another
  /// engine.
  std::int64_t packet = 0;
  /// The parent of every vertex is the smallest possible id in the caller's numbering (a second
  /// pass over the edges). Without it only depths are the same from run to run.
  bool deterministic = false;
  /// Top-down -> bottom-up when frontier arcs > unexplored arcs / alpha. Where no row is long,
  /// engine single_kernel takes less than the default.
  double alpha = 15;
  double beta = 18;  ///< bottom-up -> top-down when the frontier < vertices / beta
  run_options run;
};

/// One level as it ran, or several: a path has as many levels as vertices.
struct bfs_level {
  std::int64_t frontier = 0;  ///< vertices in the frontier that was expanded
  bool bottom_up = false;
  double milliseconds = 0;  ///< 0 with engines async and host, whose levels overlap
  std::int64_t levels = 1;  ///< that followed each other, each as this says
};

/// The exchange of one level (engine vector_queue): all ranks receive all frontiers, in as many
/// stages as there are other ranks.
struct bfs_overlap {
  std::vector<std::int64_t> bytes_per_stage;  ///< received, all ranks together
  /// Seconds that copies took, summed over stages and ranks; 0 where they cannot be told apart from
  /// the kernels that read a peer's memory.
  double copy_seconds = 0;
  double idle_seconds = 0;  ///< … that computing waited for them, or did them itself
  double throughput = 0;    ///< bytes/s while copies ran, all ranks together; 0 = unknown
  /// Share of the copies that computing did not wait for, 0 to 1; NaN without copies.
  [[nodiscard]] double hidden() const noexcept;
};

/// Messages of one kind, all ranks together. The kinds are paper B's. "flag" is the agreement on
/// direction and end, "out" the frontiers. "tree" is the result's way to one place, which may be
/// host memory; there is none where the result stays distributed.
struct bfs_messages {
  std::string kind;
  std::int64_t rounds = 0;    ///< times that the ranks exchanged; 0 with one rank
  std::int64_t messages = 0;  ///< puts between two ranks, or to the host; signals alone are none
  std::int64_t bytes = 0;     ///< of their contents
  /// Sending and waiting, slowest rank. NaN where words leave while their sender works on, since
  /// the two cannot be told apart.
  double seconds = 0;
};

/// The result stays where it was computed until asked for. Where ranks are MPI processes, every
/// process has the whole result. The others' parts are gathered in a phase of their own, "gather",
/// which `milliseconds` leaves out.
class bfs_result {
 public:
  std::int64_t source = 0;    ///< index, 0-based
  std::string engine;         ///< that ran it
  std::string engine_reason;  ///< why it
  int ranks_used = 0;         ///< that worked: all of the placement's
  std::int64_t levels = 0;    ///< number of non-empty frontiers: largest depth + 1
  std::int64_t reached = 0;   ///< vertices in the tree, source included
  /// Graph500's count: arcs stored in rows of reached vertices; undirected edges = half of it when
  /// the graph is symmetric (a self-loop counts one half).
  std::int64_t arcs_of_reached = 0;
  double milliseconds = 0;  ///< source to finished parents on their owners; slowest rank
  /// Undirected edges (symmetric) or arcs (directed) of reached vertices, per second.
  double teps = 0;
  std::vector<bfs_level> per_level;  ///< in order; `levels` counts those listed together, too
  /// Seconds by name: "expand", "exchange", "agree", "deterministic", "tree" (after the last level:
  /// engine published, and results of vector_queue that do not stay), "gather".
  std::vector<std::pair<std::string, double>> phases;

  std::vector<bfs_messages> messages;  ///< flag, out, tree

  std::vector<bfs_overlap>
      overlap;  ///< one a level; engine vector_queue on several ranks, or empty
  /// Engine async: what its worklist did, all ranks together. Empty with other engines.
  std::optional<worklist_counters> work;
  /// bytes/s that the links into all ranks take together, as the hardware or the model states them;
  /// 0 = unknown.
  double link_limit = 0;
  /// hidden() of all levels together.
  [[nodiscard]] double hidden() const noexcept;

  /// Parent of every vertex in the caller's numbering, -1 = not reached; parent of source = source.
  [[nodiscard]] shared_array<std::int64_t> parents() const;
  /// Depth of every vertex, -1 = not reached.
  [[nodiscard]] shared_array<std::int32_t> depths() const;
  /// Rank r's part, in its native memory: parents as placed ids by local index (Id = placed id
  /// width), and the caller's vertex of each local index is placed_graph::vertex(global(r, i)).
  struct part {
    int rank;
    int ordinal;  ///< CUDA ordinal, -1 host
    void* parents;
    std::int32_t* depths;
    std::int64_t rows;
    int id_width;
    std::shared_ptr<void> owner;
  };
  [[nodiscard]] const std::vector<part>& parts() const noexcept { return parts_; }

  std::vector<part> parts_;
  std::shared_ptr<const placed_graph> graph_;
};

/// A search prepared for a placed graph: windows planned, work memory taken; run from any number
/// of sources.
class bfs_search {
 public:
  bfs_search(std::shared_ptr<const placed_graph> g, const bfs_options& options = {});
  /// What it needs beside the placement.
  [[nodiscard]] static memory_plan plan(const placed_graph& g, const bfs_options& options);
  /// Placement and search together, before anything is placed.
  [[nodiscard]] static memory_plan plan(const machine& m, const graph& g,
                                        const place_options& place, const bfs_options& options);
  /// The same before there is a graph (see plan_placement).
  [[nodiscard]] static memory_plan plan(const machine& m, const graph_shape& g,
                                        const place_options& place, const bfs_options& options);
  /// `source`: index 0 … n-1, else usage_error. The result's parts are own memory, valid on.
  bfs_result run(std::int64_t source);
  ~bfs_search();
  bfs_search(bfs_search&&) noexcept;

  /// Later runs are bounded, cancelled and traced as `how` says.
  void follow(const run_options& how);

  /// A search as the constructor makes it, or one that an earlier call left if the placement is
  /// kept (placement/kept.hpp); the caller's alone.
  static std::shared_ptr<bfs_search> prepare(std::shared_ptr<const placed_graph> g,
                                             const bfs_options& options = {});

 private:
  struct state;
  std::unique_ptr<state> state_;
};

/// Convenience: place, search once.
bfs_result bfs(machine& m, const graph& g, std::int64_t source, const bfs_options& options = {});

/// Checks the Graph500 rules independently of the code that made the result, in parallel over g's
/// arcs: source is its own parent; parents form a tree (every chain ends at the source without a
/// cycle); a tree edge spans one level and is an arc of g; every arc (u,v) with u reached has v
/// reached and depth(v) <= depth(u) + 1 (both ways when symmetric). With the rule `smallest` each
/// parent is the smallest vertex one level above with an arc to it, as `deterministic` has it.
/// cancelled_error within milliseconds of a request to `stop`.
verification verify_bfs(const graph& g, std::int64_t source, std::span<const std::int64_t> parents,
                        std::span<const std::int32_t> depths, int threads = 0,
                        const std::stop_token& stop = {}, parent_rule rule = parent_rule::any);

/// The same rules checked by the ranks, each for its own rows, where the result lies. Nothing is
/// gathered but the depths, on every rank: one byte a vertex, or four when there are 254 levels or
/// more. For symmetric graphs whose ranks own contiguous ranges in the graph's numbering;
/// usage_error for others. Collective where ranks are processes. Throws capacity_error, before it
/// takes memory, if the depths do not fit beside what the graph's own plan has.
verification verify_parts(const bfs_result& result, run_options run = {});
/// Bytes that verify_parts() takes on each rank.
std::int64_t verify_parts_bytes(const placed_graph& g, std::int64_t levels);
/// Entries of the edge list inside the tree's component, repeated ones and self-loops included.
/// Only for a graph made on the ranks (placed_graph::list_ends), else usage_error. Collective.
std::int64_t entries_of_reached(const bfs_result& result);

/// `count` distinct sources with degree >= 1 drawn by a counter-based generator from `seed`
/// (fewer when the graph has fewer such vertices).
std::vector<std::int64_t> draw_sources(const graph& g, std::int64_t count, std::uint64_t seed);
/// The same ones for a graph that need not be whole; collective then.
std::vector<std::int64_t> draw_sources(const placed_graph& g, std::int64_t count,
                                       std::uint64_t seed);

}  // namespace gossamer
