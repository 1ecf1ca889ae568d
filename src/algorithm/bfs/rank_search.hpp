// rank_search: one rank's side of a whole traversal. Engine sync has bfs_engine in its place, whose
// levels the driver steps. All ranks of a machine search by the same engine, which therefore
// decides alone what crosses ranks: windows, signals, agreement on levels and end.
//
// The driver calls, on every rank and in this order: begin, traverse, smallest_parents (only when
// asked for), take_part. Time counts from traverse to the end of the last of them but one.
#pragma once

#include <memory>
#include <string_view>

#include "algorithm/bfs/engine.hpp"
#include "algorithm/driver/option_table.hpp"

namespace gossamer::bfs_detail {

template <class Id>
class rank_search {
 public:
  virtual ~rank_search() = default;
  /// Collective, inside a run, not timed: makes windows, clears arrays, enters the source (local
  /// index; -1 = another rank's). Ends with a barrier where ranks write into each other's windows.
  virtual void begin(rank& r, std::int64_t source_local) = 0;
  /// Returns when parents and depths are finished on their owner. Levels, reached and arcs are the
  /// same on every rank.
  virtual void traverse(rank& r, traversal& out) = 0;
  /// See bfs_engine::smallest_parents. Those that do not offer it refuse `deterministic` when
  /// they are made.
  virtual void smallest_parents(rank& r, const window<std::int32_t>& all_depths) {
    static_cast<void>(r), static_cast<void>(all_depths);
  }
  /// What this rank has sent since begin(), agreement included.
  [[nodiscard]] virtual traffic_by_kind sent() const = 0;
  /// As bfs_engine::take_part.
  [[nodiscard]] virtual bfs_result::part take_part() = 0;
};

/// What is known of a graph before it is placed.
struct graph_size {
  std::int64_t vertices, arcs;
  std::int64_t in_arcs = 0;  ///< that end at the rank that is asked about
};

/// Bytes of a search on one rank, all kinds exactly as allocated.
struct search_bytes {
  engine_bytes own;               ///< taken when the search is made
  std::int64_t graph = 0;         ///< the same: arcs once more, in an order of the engine's own
  std::int64_t windows = 0;       ///< of begin(), in the rank's own memory, aligned each
  std::int64_t host_windows = 0;  ///< the same in host memory
  std::int64_t duplicates = 0;    ///< taken when the search is made, to eliminate duplicates
  std::int64_t host_result = 0;   ///< the same, in host memory: parents and depths
};

/// What the driver and the planner know of an engine whose ranks search by themselves.
struct engine_functions {
  /// Throws usage_error or not_compiled when it cannot run this.
  void (*check)(const placed_graph& g, const bfs_options& options);
  search_bytes (*bytes)(const machine& m, const ownership_sizes& owners, const graph_size& size,
                        int rank, int id_width, const bfs_options& options);
  std::unique_ptr<rank_search<vertex32>> (*make32)(const placed_graph& g, int rank,
                                                   const bfs_options& options);
  std::unique_ptr<rank_search<vertex64>> (*make64)(const placed_graph& g, int rank,
                                                   const bfs_options& options);
};

/// nullptr for engine sync, whose levels the driver steps; table.cpp lists them.
const engine_functions* functions_of(std::string_view name);
/// What users asked for, checked on a machine before there is a graph: the same for plans and for
/// runs. auto is `single_kernel` on GPUs that address each other's memory, and `sync` elsewhere.
algorithm_detail::settled<bfs_options> settle(const machine& m, const bfs_options& asked);
/// Engine sync of a machine with one CPU rank, which has nothing to agree on.
template <class Id>
std::unique_ptr<rank_search<Id>> make_cpu_solo(const placed_graph& g, const bfs_options& options);
/// In single_kernel/cuda, else absent: not_compiled.
extern const engine_functions single_kernel_engine;

template <class Id>
std::unique_ptr<rank_search<Id>> make_search(const engine_functions& engine, const placed_graph& g,
                                             int rank, const bfs_options& options) {
  if constexpr (sizeof(Id) == 4)
    return engine.make32(g, rank, options);
  else
    return engine.make64(g, rank, options);
}

/// For make32 and make64: Search is a template over the id.
template <template <class> class Search, class Id>
std::unique_ptr<rank_search<Id>> make_search_of(const placed_graph& g, int rank,
                                                const bfs_options& options) {
  return std::make_unique<Search<Id>>(g, rank, options);
}

}  // namespace gossamer::bfs_detail
