// Paper B's breadth-first search: level-synchronised, 1-D, with messages whose sizes depend on the
// graph's number of vertices alone.
//
//   out   to each peer, every level: 4 bytes for each vertex that the peer owns, the parent that
//         this level found or -1 (COMM_OUT: 4 N / p bytes). Peers know whose message it is, so that
//         a parent is its local index there, of 4 bytes whatever the width of ids
//   flag  after every level: has anybody found a vertex (COMM_FLAG: 4 bytes)
//   tree  at the end, to rank 0: 8 bytes for each own vertex (COMM_TREE: 8 N / p bytes)
//
// For comparison with the engines that send frontiers: what a message costs here is known before
// the search, what a frontier holds is not. Work is charged as three kernels a level (expand,
// merge, clear), each arc with a 32-byte sector for the vertex it leads to; free on real machines.
#pragma once

#include <cstdint>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <vector>

#include "algorithm/bfs/cpu_arrays.hpp"
#include "algorithm/bfs/rank_search.hpp"
#include "gossamer/collective/scalar.hpp"

namespace gossamer::bfs_detail {

template <class Id>
struct published_arrays {
  shared_array<Id> queue;  ///< local indices, in the order found

  void list(algorithm_detail::array_list& of, std::int64_t rows) { of.add(queue, rows + 1); }
};

/// Of a run.
struct published_windows {
  window<std::int32_t> inbox;  ///< [ranks][own rows]
  signal_set arrived;          ///< [ranks]
  window<std::int64_t> tree;   ///< rank 0: parents of all placed ids, in order of rank
  std::span<std::int64_t> own_tree;
  std::vector<std::span<std::int32_t>> outgoing;  ///< [ranks] one entry a row of the peer

  void list(algorithm_detail::array_list& of, const std::vector<std::int64_t>& rows_of, int self) {
    const auto ranks = static_cast<int>(rows_of.size());
    const std::int64_t rows = rows_of[static_cast<std::size_t>(self)];
    of.add(inbox, ranks * rows);
    of.add(arrived, ranks);
    of.add(tree, self == 0 ? std::reduce(rows_of.begin(), rows_of.end()) : 0);
    of.add(own_tree, ranks == 1 ? 0 : rows);
    outgoing.resize(rows_of.size());
    for (std::size_t peer = 0; peer < rows_of.size(); ++peer)
      of.add(outgoing[peer], static_cast<int>(peer) == self ? 0 : rows_of[peer]);
  }
};

template <class Id>
class cpu_published final : public rank_search<Id> {
 public:
  cpu_published(const placed_graph& g, int rank, const bfs_options& options);

  void begin(rank& r, std::int64_t source_local) override;
  void traverse(rank& r, traversal& out) override;
  [[nodiscard]] traffic_by_kind sent() const override { return sent_; }
  [[nodiscard]] bfs_result::part take_part() override {
    return lend_part(pool_, result_, rank_, slice_.rows);
  }

 private:
  void expand(rank& r, std::int32_t depth);
  void send(rank& r, std::uint64_t level);
  void merge(rank& r, std::int32_t depth);
  bool anybody(rank& r);
  void send_tree(rank& r);

  ownership_view owners_;
  int rank_, ranks_;
  graph_slice<Id> slice_;
  std::int64_t placed_;
  std::vector<std::int64_t> rows_of_;  ///< [ranks]
  result_pool<Id> pool_;
  result_arrays<Id> result_;
  published_arrays<Id> arrays_;
  published_windows windows_;
  std::optional<scalar_plan<std::int32_t>> flag_;  ///< of the run
  traffic_by_kind sent_;
  std::int64_t head_ = 0, tail_ = 0;
  std::int64_t expanded_ = 0;  ///< arcs of the level's frontier
};

extern const engine_functions published_engine;

}  // namespace gossamer::bfs_detail
