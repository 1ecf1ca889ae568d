// Engine sync on a machine with one CPU rank: a whole traversal without messages or agreement.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "algorithm/bfs/rank_search.hpp"
#include "algorithm/bfs/sync/cpu/bottom_up.hpp"
#include "algorithm/bfs/sync/cpu/frontier.hpp"
#include "algorithm/bfs/sync/policy.hpp"

namespace gossamer::bfs_detail {

/// Fewer than these are looked at by one thread before a team has come together. A thread of a team
/// marks by atomic operations, at half the speed: two threads gain little by that.
constexpr std::int64_t arcs_worth_threads(int threads) {
  return std::max<std::int64_t>(16384, 131072 / threads);
}

/// Levels of so many vertices run one behind the other: what is done between levels would be most
/// of their time.
inline constexpr std::int64_t thin_level = 8;

template <class Id>
struct solo_arrays {
  bottom_up_tables<Id> tables;
  shared_array<Id> queue;  ///< [rows + 1] every vertex in the order it was found top-down
  shared_array<Id> from;   ///< [rows + 1] by whom
  shared_array<std::uint64_t> visited, front, next;

  void list(algorithm_detail::array_list& of, std::int64_t rows, bool goes_up) {
    const std::int64_t words = words_of(rows);
    tables.list(of, rows, goes_up);
    of.add(queue, rows + 1);
    of.add(from, rows + 1);
    of.add(visited, words);
    if (!goes_up) return;
    of.add(front, words);
    of.add(next, words);
  }
};

template <class Id>
class cpu_solo final : public rank_search<Id> {
 public:
  cpu_solo(const placed_graph& g, const bfs_options& options);

  void begin(rank&, std::int64_t source) override { source_ = source; }
  /// Clears arrays, too: that is timed.
  void traverse(rank& r, traversal& out) override;
  void smallest_parents(rank& r, const window<std::int32_t>& all_depths) override;
  [[nodiscard]] traffic_by_kind sent() const override { return {}; }
  [[nodiscard]] bfs_result::part take_part() override {
    return lend_part(pool_, result_, 0, slice_.rows);
  }

 private:
  [[nodiscard]] std::int64_t degree(std::int64_t v) const {
    return slice_.offsets[v + 1] - slice_.offsets[v];
  }
  /// Enters the source.
  void clear();
  [[nodiscard]] std::int64_t frontier_arcs() const;
  /// Whether a frontier is so small that neither threads nor another direction could help.
  [[nodiscard]] bool is_thin(std::int64_t frontier, const direction_policy& policy) const {
    return frontier <= thin_level && !bitmap_ && max_degree_ < long_row && !policy.up() &&
           !policy.needs_arcs(frontier * max_degree_);
  }
  /// Whether a bottom-up step looks at less than a top-down step along `arcs` arcs, of which a
  /// `share` leads to new vertices: an unvisited row is left at the first of them. Where neighbours
  /// are neighbours of each other most arcs lead back, and rows are looked at to their end.
  [[nodiscard]] bool pays_to_scan(std::int64_t arcs, std::int64_t unvisited, double share) const;
  /// Expands the frontier, of `arcs` arcs if known (else 0: few). Returns the arcs looked at.
  /// `mostly_old`: most of them lead to what is visited.
  std::int64_t expand(std::int32_t depth, std::int64_t arcs, bool mostly_old);
  /// `Guess`: what is new is what the processor guesses.
  template <bool AskFirst, bool Guess>
  std::int64_t expand_serial(std::int32_t depth);
  struct thin_levels {
    std::int32_t levels;
    std::int64_t vertices, arcs;
  };
  /// Levels of few vertices from `depth` on, until one has more; after many of them, anyhow.
  /// Appends them to `log`, untimed. Results are written at once.
  thin_levels expand_thin(std::int32_t depth, std::vector<bfs_level>& log);
  template <bool AskFirst>
  std::int64_t expand_parallel(std::int32_t depth);
  /// Queue -> bitmap, and back.
  void scatter_frontier();
  void gather_frontier();
  /// A bottom-up step; returns the vertices found.
  std::int64_t scan(std::int32_t depth);
  /// Writes parents and depths of what waits in stretches, and -1 for what was not found.
  void settle();
  [[nodiscard]] std::int64_t unvisited_arcs() const;

  const placed_graph& graph_;
  graph_slice<Id> slice_;
  bfs_options options_;
  int threads_;
  std::int64_t max_degree_ = 0;
  std::int64_t linked_ = 0, mean_degree_ = 0;  ///< rows with in-arcs, and how many in the mean
  /// Most rows are as long as the next: grids, trees, cliques, rings. Their searches repeat
  /// themselves, so that the processor guesses right what is new, and one thread that goes by that
  /// is faster than two.
  bool guesses_ = false;
  solo_arrays<Id> arrays_;
  struct stretch {
    std::int64_t begin, end;
    std::int32_t depth;
  };
  std::vector<stretch> stretches_;  ///< of the queue: their results wait to be written
  result_pool<Id> pool_;
  result_arrays<Id> result_;
  // Of the run: the frontier is arrays_.queue[head_, tail_), or arrays_.front when it is a bitmap.
  std::int64_t source_ = 0, head_ = 0, tail_ = 0;
  bool bitmap_ = false;
};

}  // namespace gossamer::bfs_detail
