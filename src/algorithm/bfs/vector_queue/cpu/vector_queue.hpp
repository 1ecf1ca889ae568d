// Paper A's kernels on a CPU rank, in place of a GPU's. Queue entries are shared out by tens; rows
// of very many arcs are cut over the whole team, as the paper cuts them over a block.
//
// Threads scatter into the same Vector, the last one wins: stores are relaxed atomics, which cost
// nothing beside plain ones.
#pragma once

#include "algorithm/bfs/vector_queue/cpu/queue_steps.hpp"

namespace gossamer::bfs_detail {

struct vector_arrays {
  shared_array<std::int64_t> vector;
  std::vector<std::int64_t> counts;  ///< [counts + 1] survivors, then where they begin

  static std::int64_t counts_of(std::int64_t rows) {
    return (rows + rows_per_count - 1) / rows_per_count;
  }
  void list(algorithm_detail::array_list& of, std::int64_t rows) {
    of.add(vector, rows);
    of.add(counts, counts_of(rows) + 1);
  }
};

template <class Id>
class cpu_vector_queue final : public cpu_queue_steps<Id> {
 public:
  cpu_vector_queue(const placed_graph& g, int rank, int label_bytes);

  void clear(rank& r) override;
  void gather(rank& r, std::span<const std::int64_t> queue) override;
  void update(rank& r, std::int32_t depth) override;
  step_result convert(rank& r, std::int64_t* queue, std::uint32_t* finds) override;

 private:
  using cpu_queue_steps<Id>::from;
  using cpu_queue_steps<Id>::to;
  using cpu_queue_steps<Id>::arrivals_;
  using cpu_queue_steps<Id>::owners_;
  using cpu_queue_steps<Id>::rank_;
  using cpu_queue_steps<Id>::threads_;
  using cpu_queue_steps<Id>::seen_;

  void scatter(std::int64_t u, edge_offset from, edge_offset to);

  vector_arrays arrays_;
};

}  // namespace gossamer::bfs_detail
