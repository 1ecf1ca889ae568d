// Engine `single_kernel`: a rank's memory on its GPU, and the host side of the kernel that runs a
// whole traversal (view.hpp says how).
#pragma once

#include <memory>

#include "algorithm/bfs/cuda/result_pool.hpp"
#include "algorithm/bfs/rank_search.hpp"
#include "algorithm/bfs/single_kernel/cuda/launch.hpp"
#include "gossamer/machine/stream.hpp"

namespace gossamer::bfs_detail::cuda {

template <class T>
void zero(const device& d, buffer<T>& b) {
  fill_bytes(native_memory(d), d.ordinal, b.data(), 0, b.size() * sizeof(T));
}

/// What it keeps on the GPU.
template <class Id>
struct single_arrays {
  buffer<std::uint32_t> closed;
  buffer<Id> favourite;
  buffer<std::int32_t> packed;  // [4 rows], or empty
  buffer<level_sums> sums;
  buffer<std::uint32_t> arrived;  // and, behind it, progress
  buffer<level_entry> log;
  buffer<std::uint32_t> settled;
  buffer<search_state> state;
  buffer<unsigned long long> posted, sent;  // with several ranks
  buffer<std::int64_t> rows_of;             // the same

  void list(algorithm_detail::array_list& of, std::int64_t rows, std::int64_t placed, int ranks,
            bool goes_up, bool packs) {
    of.add(closed, placed / 32);
    of.add(sums, 3);
    of.add(arrived, 4);
    of.add(log, logged_levels);
    of.add(settled, logged_levels);
    of.add(state, 1);
    if (goes_up) of.add(favourite, rows);
    if (packs) of.add(packed, 4 * rows);
    if (ranks == 1) return;
    of.add(posted, ranks);
    of.add(sent, 2);
    of.add(rows_of, ranks);
  }
};

/// Of a run, what no peer sees.
struct single_scratch {
  std::span<std::uint32_t> seen, bits[2];  // bits: one rank alone
  std::span<std::int64_t> queue[2];

  void list(algorithm_detail::array_list& of, std::int64_t rows, std::int64_t placed, int ranks) {
    of.add(seen, placed / 32);
    for (int i = 0; i < 2; ++i) {
      if (ranks == 1) of.add(bits[i], placed / 32);
      of.add(queue[i], rows);
    }
  }
};

/// Of a run of several ranks.
template <class Id>
struct single_windows {
  window<std::uint32_t> bits;  // two bitmaps
  window<message<Id>> inbox;
  window<std::uint64_t> mail;
  window<std::uint64_t> trade;  // of narrow levels

  void list(algorithm_detail::array_list& of, std::int64_t rows, std::int64_t placed, int ranks,
            bool narrow) {
    of.add(bits, 2 * (placed / 32));
    of.add(inbox, ranks * rows);
    of.add(mail, ranks);
    if (narrow) of.add(trade, trade_words(ranks));
  }
};

template <class Id>
class single_kernel final : public rank_search<Id> {
 public:
  single_kernel(const placed_graph& g, int rank, const bfs_options& options);

  void begin(rank& r, std::int64_t source_local) override;
  void traverse(rank& r, traversal& out) override;
  void smallest_parents(rank& r, const window<std::int32_t>& all_depths) override;
  [[nodiscard]] traffic_by_kind sent() const override { return sent_; }
  [[nodiscard]] bfs_result::part take_part() override { return pool_.lend(result_); }

 private:
  void prepare();
  /// All ranks' rows by placed id, read from their memory; the longest of them.
  void classify(buffer<std::uint8_t>& classes, unsigned long long* longest, void* stream) const;
  void take_scratch(rank& r);
  void join(rank& r, std::int64_t source_local);
  void start(rank& r);
  void count_traffic(rank& r, const search_state& s, traversal& out);
  void read_log(rank& r, std::int64_t first, std::int64_t last, std::uint64_t& at, traversal& out);

  const placed_graph& graph_;
  const device device_;
  const int rank_, ranks_;
  const graph_slice<Id> slice_;
  kernel_shape shape_;
  result_pool<Id> pool_;
  result_arrays<Id> result_;
  single_arrays<Id> arrays_;
  single_scratch scratch_;
  single_windows<Id> windows_;
  std::vector<level_entry> log_here_;
  event before_, after_;
  search_view<Id> view_{};
  peers_view<Id> peers_{};
  traffic_by_kind sent_;
};

}  // namespace gossamer::bfs_detail::cuda
