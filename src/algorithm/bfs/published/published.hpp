// Paper B's breadth-first search: level-synchronised, 1-D, with messages whose sizes depend on the
// graph's number of vertices alone.
//
//   out   to each peer, every level: 4 bytes for each vertex that the peer owns, the parent that
//         this level found or -1 (COMM_OUT: 4 N / p bytes)
//   flag  after every level: has anybody found a vertex (COMM_FLAG: 4 bytes)
//   tree  at the end, to rank 0: 8 bytes for each own vertex (COMM_TREE: 8 N / p bytes)
//
// For comparison with the engines that send frontiers: what a message costs here is known before
// the search, what a frontier holds is not. Work is charged as three kernels a level (expand,
// merge, clear), each arc with a 32-byte sector for the vertex it leads to; free on real machines.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "algorithm/bfs/cpu_arrays.hpp"
#include "algorithm/bfs/rank_search.hpp"
#include "gossamer/collective/scalar.hpp"

namespace gossamer::bfs_detail {

template <class Id>
class cpu_published final : public rank_search<Id> {
 public:
  cpu_published(const placed_graph& g, int rank, const bfs_options& options);
  ~cpu_published() override;

  void begin(rank& r, std::int64_t source_local) override;
  void traverse(rank& r, traversal& out) override;
  [[nodiscard]] traffic_by_kind sent() const override { return sent_; }
  [[nodiscard]] bfs_result::part take_part() override {
    return lend_part(pool_, result_, rank_, slice_.rows);
  }

 private:
  struct windows;
  void expand(rank& r, windows& w, std::int32_t depth);
  void send(rank& r, windows& w, std::uint64_t level);
  void merge(rank& r, windows& w, std::int32_t depth);
  bool anybody(rank& r, windows& w);
  void send_tree(rank& r, windows& w);

  ownership_view owners_;
  int rank_, ranks_;
  graph_slice<Id> slice_;
  std::int64_t placed_;
  std::vector<std::int64_t> rows_of_;  ///< [ranks]
  shared_array<Id> queue_;             ///< local indices, in the order found
  result_pool<Id> pool_;
  result_arrays<Id> result_;
  std::unique_ptr<windows> windows_;  ///< of the run
  traffic_by_kind sent_;
  std::int64_t head_ = 0, tail_ = 0;
  std::int64_t expanded_ = 0;  ///< arcs of the level's frontier
};

extern const engine_functions published_engine;

}  // namespace gossamer::bfs_detail
