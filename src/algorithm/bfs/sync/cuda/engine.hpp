// The CUDA engine: one rank's memory on its GPU and the host side of its levels.
//
// The host launches the kernels of a level and then watches one word of pinned memory, which the
// level's last block writes together with the next frontier's size: a level of a road graph is one
// launch and one word. With several ranks the level ends in rank::synchronize instead, because
// waits for peers run in the stream and report their failures there.
#pragma once

#include <memory>
#include <vector>

#include "algorithm/bfs/cuda/launch.hpp"
#include "algorithm/bfs/cuda/result_pool.hpp"
#include "gossamer/machine/stream.hpp"

namespace gossamer::bfs_detail::cuda {

/// What it takes of the GPU.
template <class Id>
struct engine_arrays {
  buffer<std::uint32_t> seen, closed;  // closed: what `seen` starts from
  buffer<std::uint32_t> own_bits;      // one rank alone: two bitmaps
  buffer<std::int32_t> queues;         // two
  buffer<unsigned long long> hubs;
  buffer<message<Id>> outbox;
  buffer<std::int64_t> outbox_first;
  buffer<unsigned long long> outbox_count;
  buffer<counters> count;

  void list(algorithm_detail::array_list& of, std::int64_t rows, std::int64_t placed, int ranks) {
    of.add(seen, placed / 32);
    of.add(closed, placed / 32);
    if (ranks == 1) of.add(own_bits, 2 * (placed / 32));
    of.add(queues, 2 * rows);
    of.add(hubs, rows);
    of.add(outbox, placed - rows);
    of.add(outbox_first, ranks + 1);
    of.add(outbox_count, ranks);
    of.add(count, 1);
  }
};

template <class Id>
class engine final : public bfs_engine<Id> {
 public:
  engine(const placed_graph& g, int rank);

  step_result begin(rank& r, const exchange<Id>* ex, std::int64_t source_local) override;
  step_result top_down(rank& r, std::int64_t level) override;
  step_result bottom_up(rank& r, std::int64_t level) override;
  void smallest_parents(rank& r, const window<std::int32_t>& all_depths) override;
  void finish(rank& r) override;
  [[nodiscard]] double exchange_seconds() const override { return sent_to_peers_.seconds; }
  [[nodiscard]] traffic_by_kind sent() const override { return {{}, sent_to_peers_, {}}; }
  [[nodiscard]] bfs_result::part take_part() override { return pool_.lend(result_); }

 private:
  /// Adjacent local vertices that are adjacent as placed ids too; multiples of 64.
  struct vertex_run {
    std::int64_t local, placed, count;
  };
  enum class form : std::uint8_t { queue, bitmap };

  void survey_slice();
  /// Result arrays and bitmap as they are before a search.
  void clear(rank& r);
  void become_queue(rank& r, std::int64_t level);
  void become_bitmap(rank& r, std::int64_t level);
  void expand_frontier(rank& r, reporting what);
  void send_mail(rank& r, std::int64_t level);
  void absorb_mail(rank& r, std::int64_t level);
  void send_bits(rank& r, std::int64_t level);
  /// Takes the report with the current sequence number, after watching for it …
  void await_report(rank& r);
  /// … or after the stream has ended.
  void synchronize_report(rank& r);
  step_result adopt(form made);
  [[nodiscard]] bool reported() const;
  [[nodiscard]] std::uint32_t* bits(std::int64_t level) const;
  [[nodiscard]] std::int32_t* queue(int which) const {
    return arrays_.queues.data() + which * slice_.rows;
  }

  const placed_graph& graph_;
  const device device_;
  const int rank_, ranks_;
  const graph_slice<Id> slice_;
  const std::int64_t placed_;
  std::vector<vertex_run> runs_;
  std::int64_t longest_row_ = 0;

  result_pool<Id> pool_;
  result_arrays<Id> result_;
  engine_arrays<Id> arrays_;
  std::vector<std::int64_t> outbox_first_;
  buffer<report> report_;   // pinned
  buffer<long long> mail_;  // pinned
  event before_, after_;    // around an exchange
  level_view<Id> view_{};

  const exchange<Id>* exchange_ = nullptr;
  form form_ = form::queue;
  int current_ = 0;  // which queue holds the frontier
  step_result frontier_;
  unsigned long long sequence_ = 0;  // of the last report asked for, over all runs
  bool clean_ = true;                // the last run ended in finish()
  traffic sent_to_peers_;
};

}  // namespace gossamer::bfs_detail::cuda
