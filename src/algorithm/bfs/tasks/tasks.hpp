// Breadth-first search by tasks (task/global_tasks.hpp), one core a rank.
//
// A level is one run of global_tasks. A few tasks share the rank's part of the frontier: each takes
// a vertex, fetches where its row begins, then the row, and leaves the core to the others while
// memory answers (issue, yield, complete). Neighbours that this rank has not met before are
// handed over: own ones go to the next frontier, the others' are posted to their owners. The
// owner's core alone changes a vertex, so nothing is atomic.
//
// Whom a rank has met is one bit a vertex, of all vertices: for own ones it means "reached", for
// the others "told". So each rank tells of a vertex at most once, and an arc costs no message but a
// bit, which stays in the cache.
//
// Why levels: without them first guesses that are too deep are corrected again and again
// (docs/design/tasks.md has the measurements).
#pragma once

#include <cstdint>
#include <span>

#include "algorithm/bfs/cpu_arrays.hpp"
#include "algorithm/bfs/rank_search.hpp"
#include "algorithm/driver/rank_objects.hpp"
#include "gossamer/base/large_array.hpp"

namespace gossamer::bfs_detail {

template <class Id>
class cpu_tasks final : public rank_search<Id> {
 public:
  cpu_tasks(const placed_graph& g, int rank, const bfs_options& options);

  void begin(rank& r, std::int64_t source_local) override;
  void traverse(rank& r, traversal& out) override;
  void smallest_parents(rank& r, const window<std::int32_t>& all_depths) override;
  [[nodiscard]] traffic_by_kind sent() const override { return sent_; }
  [[nodiscard]] bfs_result::part take_part() override {
    return lend_part(pool_, result_, rank_, slice_.rows);
  }

  /// What a planned rank takes.
  static algorithm_detail::listed_bytes bytes(const planned_rank& p);

 private:
  using peers = algorithm_detail::rank_objects<cpu_tasks>;
  /// "`vertex`, yours, was reached from `parent`", placed ids.
  struct visit {
    Id vertex, parent;
    void operator()(cpu_tasks& owner) const { owner.reach_once(vertex, parent); }
    void prefetch(const cpu_tasks& owner) const {
      const auto at = static_cast<std::size_t>(owner.owners_.local(vertex));
      __builtin_prefetch(&owner.result_.parents.data()[at], 1);
      __builtin_prefetch(&owner.result_.depths.data()[at], 1);
    }
  };

  struct arrays {
    shared_array<Id> queue;     ///< own vertices by local index, level after level
    shared_array<visit> found;  ///< first met, and not handed over yet

    void list(algorithm_detail::array_list& of, std::int64_t rows);
  };

  task<> start(const peers& all);
  task<> expand(const peers& all);
  void scan(Id u, edge_offset first, edge_offset last);
  void reach_once(Id vertex, Id parent);
  void reach(Id vertex, Id parent);

  const placed_graph& graph_;
  ownership_view owners_;
  int rank_, threads_;
  graph_slice<Id> slice_;
  result_pool<Id> pool_;
  result_arrays<Id> result_;
  std::int64_t source_ = -1;
  std::span<std::uint64_t> met_;  ///< a bit each placed id
  std::int64_t next_ = 0, end_ = 0, tail_ = 0;
  arrays arrays_;
  std::int64_t handed_ = 0, found_end_ = 0;
  std::int64_t arcs_ = 0;  ///< looked at
  std::int32_t depth_ = 0;
  traffic_by_kind sent_;
};

extern const engine_functions tasks_engine;

}  // namespace gossamer::bfs_detail
