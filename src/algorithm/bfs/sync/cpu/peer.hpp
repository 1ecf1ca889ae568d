// A CPU rank among others: top-down sends (vertex, parent) pairs to owners, bottom-up exchanges
// frontier bitmaps; the windows are those of engine.hpp.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "algorithm/bfs/engine.hpp"
#include "algorithm/bfs/sync/cpu/bottom_up.hpp"

namespace gossamer::bfs_detail {

template <class Id>
struct peer_arrays {
  bottom_up_tables<Id> tables;
  shared_array<Id> queue;  ///< local indices, in the order found
  shared_array<std::uint64_t> visited, found;
  shared_array<std::uint64_t> sent;    ///< a bit a placed id: the filter of what was sent
  shared_array<message<Id>> outgoing;  ///< a segment for each peer

  void list(algorithm_detail::array_list& of, std::int64_t rows, std::int64_t placed,
            bool goes_up) {
    of.add(queue, rows + 1);
    of.add(sent, placed / 64);
    of.add(outgoing, placed - rows);
    if (!goes_up) return;
    of.add(visited, rows / 64);
    of.add(found, rows / 64);
    tables.list(of, rows, true);
  }
};

template <class Id>
class cpu_peer final : public bfs_engine<Id> {
 public:
  cpu_peer(const placed_graph& g, int rank, const bfs_options& options);

  step_result begin(rank& r, const exchange<Id>* ex, std::int64_t source_local) override;
  step_result top_down(rank& r, std::int64_t level) override;
  step_result bottom_up(rank& r, std::int64_t level) override;
  void smallest_parents(rank& r, const window<std::int32_t>& all_depths) override;
  void finish(rank&) override {}
  [[nodiscard]] double exchange_seconds() const override { return sent_to_peers_.seconds; }
  [[nodiscard]] traffic_by_kind sent() const override { return {{}, sent_to_peers_, {}}; }
  [[nodiscard]] bfs_result::part take_part() override {
    return lend_part(pool_, result_, rank_, slice_.rows);
  }

 private:
  static constexpr std::int64_t line = 8;  ///< counters of one cache line
  /// A run of this rank's blocks that is adjacent in placed ids, in words of 64.
  struct word_run {
    std::int64_t local, placed, count;
  };
  [[nodiscard]] std::int64_t degree(std::int64_t v) const {
    return slice_.offsets[v + 1] - slice_.offsets[v];
  }
  void expand(std::int32_t depth);
  void send(rank& r, std::int64_t level);
  void receive(rank& r, std::int64_t level);
  /// Every rank's words of the level's bitmap, the half of the window at `buffer`, to all.
  void exchange_bits(rank& r, std::int64_t level, std::int64_t buffer);
  void gather_frontier();
  void scatter_frontier(std::uint64_t* mine);
  [[nodiscard]] step_result frontier() const;

  const placed_graph& graph_;
  ownership_view owners_;
  int rank_, ranks_, threads_;
  graph_slice<Id> slice_;
  std::vector<word_run> runs_;
  peer_arrays<Id> arrays_;
  std::vector<std::int64_t> segment_;  ///< [ranks + 1] where segments begin
  std::vector<std::int64_t> waiting_;  ///< [ranks] messages in the segment, one line each
  result_pool<Id> pool_;
  result_arrays<Id> result_;
  const exchange<Id>* exchange_ = nullptr;
  std::int64_t head_ = 0, tail_ = 0;
  bool bitmap_ = false;  ///< the frontier is arrays_.found, not the queue
  traffic sent_to_peers_;
};

}  // namespace gossamer::bfs_detail
