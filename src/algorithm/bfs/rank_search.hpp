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
#include "algorithm/driver/array_list.hpp"
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

/// Whether levels exchange nothing. A modelled rank does what several do, since that is charged.
inline bool steps_alone(const machine& m) {
  return m.size() == 1 && m[0].model == nullptr;
}

/// One rank of a search that is planned: what is known before there is any.
struct planned_rank {
  const machine& on;
  const ownership_sizes& owners;
  int self = 0, id_width = 4;
  std::int64_t arcs = 0;     ///< of the graph
  std::int64_t in_arcs = 0;  ///< that end here
  certainty vertices_are = certainty::exact, arcs_are = certainty::exact;
  bool by_columns = false;  ///< as the graph is placed

  [[nodiscard]] std::int64_t rows() const { return owners.local_size(self); }
  [[nodiscard]] std::int64_t placed() const { return owners.placed(); }
  [[nodiscard]] int ranks() const { return owners.ranks(); }
  [[nodiscard]] bool on_gpu() const { return on[self].is_cuda(); }
  /// Whether what reads columns has to make them of rows.
  [[nodiscard]] bool turns_rows() const { return ranks() > 1 && !by_columns; }
  /// Where a modelled system has collectives of its own, agreement keeps a few lines in either
  /// memory.
  [[nodiscard]] std::int64_t agreement() const { return on[self].model != nullptr ? 65536 : 0; }
  /// Arrays<Id> for ids of this width.
  template <template <class> class Arrays, class... Sizes>
  [[nodiscard]] algorithm_detail::listed_bytes count(const Sizes&... sizes) const {
    using algorithm_detail::counted;
    return id_width == 4 ? counted<Arrays<vertex32>>(sizes...)
                         : counted<Arrays<vertex64>>(sizes...);
  }
};

/// What every search takes: arrays that live as long as it, parents and depths, and windows.
/// `agreement`: in either memory, beside what is listed.
inline void declare_search(algorithm_detail::memory_layout& l, const planned_rank& p,
                           const algorithm_detail::listed_bytes& takes,
                           std::int64_t agreement = 0) {
  const auto block = [&](std::int64_t bytes) {
    return p.on_gpu() ? algorithm_detail::aligned(bytes) : bytes;
  };
  l.own(p.self, "frontiers and queues", takes.own, p.vertices_are);
  l.own(p.self, "parents and depths", block(p.rows() * p.id_width) + block(p.rows() * 4),
        p.vertices_are);
  l.window(p.self, "windows of the engine", takes.window, p.vertices_are);
  l.agreement(p.self, agreement, takes.host_window + agreement);
}

/// What the driver and the planner know of an engine whose ranks search by themselves.
struct engine_functions {
  /// Throws usage_error or not_compiled when it cannot run this.
  void (*check)(const placed_graph& g, const bfs_options& options);
  /// What rank `p.self` takes.
  void (*declare)(algorithm_detail::memory_layout& l, const planned_rank& p,
                  const bfs_options& options);
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
