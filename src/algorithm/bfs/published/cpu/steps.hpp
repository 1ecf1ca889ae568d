// The steps on a CPU rank, by one thread: a queue of what was found, in the order found. Modelled
// machines charge them as three kernels a level (expand, merge, clear), each arc with a 32-byte
// sector for the vertex it leads to.
#pragma once

#include "algorithm/bfs/cpu_arrays.hpp"
#include "algorithm/bfs/published/steps.hpp"

namespace gossamer::bfs_detail {

template <class Id>
struct published_arrays {
  shared_array<Id> queue;  ///< local indices, in the order found

  void list(algorithm_detail::array_list& of, std::int64_t rows) { of.add(queue, rows + 1); }
};

template <class Id>
class cpu_published final : public published_steps<Id> {
 public:
  cpu_published(const placed_graph& g, int rank);

  void begin(rank& r, const published_windows& w, std::int64_t source_local) override;
  void expand(rank& r, const published_windows& w, std::int32_t depth) override;
  step_result merge(rank& r, const published_windows& w, std::int32_t depth) override;
  void clear(rank& r, const published_windows& w) override;
  void tree(rank& r, std::int64_t* into) override;
  [[nodiscard]] bfs_result::part take_part() override {
    return lend_part(pool_, result_, rank_, slice_.rows);
  }

 private:
  void enter(std::int64_t row, std::int64_t parent, std::int32_t depth) {
    result_.parents[row] = static_cast<Id>(parent);
    result_.depths[row] = depth;
    arrays_.queue[tail_++] = static_cast<Id>(row);
  }

  ownership_view owners_;
  int rank_, ranks_;
  graph_slice<Id> slice_;
  std::vector<std::int64_t> first_;  ///< outgoing_parts()
  result_pool<Id> pool_;
  result_arrays<Id> result_;
  published_arrays<Id> arrays_;
  std::int64_t head_ = 0, tail_ = 0;
  std::int64_t expanded_ = 0;  ///< arcs of the level's frontier
};

}  // namespace gossamer::bfs_detail
