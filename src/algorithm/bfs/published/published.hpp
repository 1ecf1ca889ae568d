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
// the search, what a frontier holds is not.
//
// The host starts each step (steps.hpp) and each put, on GPU ranks in the rank's stream, and looks
// at the stream's end once a level, for the flag. That end is also why an inbox is not written too
// early: a rank agrees on a level when it has merged, and peers send the next one after that.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "algorithm/bfs/published/steps.hpp"
#include "gossamer/collective/scalar.hpp"
#include "gossamer/machine/stream.hpp"

namespace gossamer::bfs_detail {

template <class Id>
class published final : public rank_search<Id> {
 public:
  published(const placed_graph& g, int rank, const bfs_options& options);

  void begin(rank& r, std::int64_t source_local) override;
  void traverse(rank& r, traversal& out) override;
  [[nodiscard]] traffic_by_kind sent() const override { return sent_; }
  [[nodiscard]] bfs_result::part take_part() override { return steps_->take_part(); }

 private:
  struct level_found {
    std::int64_t vertices, arcs;
  };
  level_found level(rank& r, std::int32_t number);
  void send(rank& r, std::uint64_t level);
  bool anybody(rank& r);
  void send_tree(rank& r);

  const int rank_, ranks_;
  const bool gpu_;
  std::vector<std::int64_t> rows_of_;      ///< [ranks]
  const std::vector<std::int64_t> first_;  ///< outgoing_parts()
  std::unique_ptr<published_steps<Id>> steps_;
  event before_, after_;  ///< of a GPU: around an exchange in its stream
  published_windows windows_;
  std::optional<scalar_plan<std::int32_t>> flag_;  ///< of the run
  std::int64_t frontier_ = 0;                      ///< own vertices in it
  traffic_by_kind sent_;
};

extern const engine_functions published_engine;

}  // namespace gossamer::bfs_detail
