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
  buffer<std::uint32_t> closed_;
  buffer<Id> favourite_;
  buffer<std::int32_t> packed_;  // [4 rows], or empty
  buffer<level_sums> sums_;
  buffer<std::uint32_t> arrived_;  // and, behind it, progress
  buffer<level_entry> log_;
  buffer<std::uint32_t> settled_;
  buffer<search_state> state_;
  std::vector<level_entry> log_here_;
  event before_, after_;
  buffer<unsigned long long> posted_, sent_there_;
  buffer<std::int64_t> rows_of_;
  search_view<Id> view_{};
  peers_view<Id> peers_{};
  traffic_by_kind sent_;
};

}  // namespace gossamer::bfs_detail::cuda
