// Paper A's kernels on a CPU rank, in place of a GPU's. Queue entries are shared out by tens; rows
// of very many arcs are cut over the whole team, as the paper cuts them over a block.
//
// Threads scatter into the same Vector, the last one wins: stores are relaxed atomics, which cost
// nothing beside plain ones.
#pragma once

#include "algorithm/bfs/cpu/arrays.hpp"
#include "algorithm/bfs/vector_queue/steps.hpp"

namespace gossamer::bfs_detail {

template <class Id>
class cpu_vector_queue final : public vector_queue_steps<Id> {
 public:
  cpu_vector_queue(const placed_graph& g, int rank);

  void begin(rank& r, std::int64_t source_local, std::int64_t* queue) override;
  void clear(rank& r) override;
  void gather(rank& r, std::span<const std::int64_t> queue) override;
  void update(rank& r, std::int32_t depth) override;
  step_result convert(rank& r, std::int64_t* queue) override;
  void smallest_parents(rank& r, const window<std::int32_t>& all_depths) override;
  [[nodiscard]] bfs_result::part take_part() override;

 private:
  void turn_slice(std::int64_t placed);
  void scatter(std::int64_t u, edge_offset from, edge_offset to);

  const placed_graph& graph_;
  ownership_view owners_;
  int rank_, ranks_, threads_;
  double scatter_;  ///< bytes a store to a random place is charged
  graph_slice<Id> slice_;
  shared_array<edge_offset> offsets_;  ///< [placed + 2] of arrivals; one rank: none
  shared_array<Id> rows_;              ///< [in_arcs] local indices, ascending for each u
  const edge_offset* first_ = nullptr;
  const Id* own_ = nullptr;
  shared_array<std::int64_t> vector_;
  shared_array<std::uint8_t> visited_;
  std::vector<std::int64_t> counts_;  ///< [counts + 1] survivors, then where they begin
  result_pool<Id> pool_;
  result_arrays<Id> result_;
  std::int64_t arcs_ = 0;  ///< gathered since clear()
};

}  // namespace gossamer::bfs_detail
