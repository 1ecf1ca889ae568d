// What the two ways to eliminate duplicates (vector_queue.hpp, sort_unique.hpp) share on a CPU
// rank: the slice by columns, Visited, Label and depths.
#pragma once

#include "algorithm/bfs/cpu_arrays.hpp"
#include "algorithm/bfs/vector_queue/finds.hpp"
#include "algorithm/bfs/vector_queue/steps.hpp"

namespace gossamer::bfs_detail {

template <class Id>
class cpu_queue_steps : public vector_queue_steps<Id> {
 public:
  cpu_queue_steps(const placed_graph& g, int rank);

  void begin(rank& r, std::int64_t source_local, std::int64_t* queue) override;
  void labels(rank& r, std::int64_t* into) override;
  [[nodiscard]] found_rows<Id> found() const override;
  void smallest_parents(rank& r, const window<std::int32_t>& all_depths) override;
  [[nodiscard]] bfs_result::part take_part() override {
    return lend_part(pool_, result_, rank_, slice_.rows);
  }

 protected:
  /// Arcs of placed id u that lead to this rank: places in own_.
  [[nodiscard]] edge_offset from(std::int64_t u) const { return first_[u]; }
  [[nodiscard]] edge_offset to(std::int64_t u) const { return first_[u + 1]; }
  /// Enters a row that is found: its label and depth.
  void enter(std::int64_t row, std::int64_t parent, std::int32_t depth) {
    result_.parents[row] = static_cast<Id>(parent);
    result_.depths[row] = depth;
    visited_[row] = 1;
  }
  /// Bytes that a modelled GPU moves for a queue's entries, their offsets and columns: see
  /// steps.hpp.
  [[nodiscard]] double traffic_of_rows(std::int64_t entries, std::int64_t rows_with_arcs,
                                       std::int64_t arcs) const;
  /// The finds of a level, ready to be written; bits are cleared.
  [[nodiscard]] packed_finds<Id> clear_finds(std::uint32_t* into, std::int64_t found) const;

  const placed_graph& graph_;
  ownership_view owners_;
  int rank_, ranks_, threads_;
  double line_;  ///< bytes that an access to a random place is charged
  graph_slice<Id> slice_;
  const Id* own_ = nullptr;
  shared_array<std::uint8_t> visited_;
  result_arrays<Id> result_;
  std::int64_t arcs_ = 0;  ///< gathered since clear()

 private:
  void turn_slice(std::int64_t placed);

  shared_array<edge_offset> offsets_;  ///< [placed + 2] of arrivals; one rank: none
  shared_array<Id> rows_;              ///< [in_arcs] local indices, ascending for each u
  const edge_offset* first_ = nullptr;
  result_pool<Id> pool_;
};

/// Bytes of the arrays above, kinds of their own apart.
vector_queue_bytes cpu_queue_bytes(std::int64_t rows, std::int64_t placed, std::int64_t in_arcs,
                                   int id_width, int ranks);

}  // namespace gossamer::bfs_detail
