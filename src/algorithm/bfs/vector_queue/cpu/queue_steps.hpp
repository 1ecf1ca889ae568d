// What the two ways to eliminate duplicates (vector_queue.hpp, sort_unique.hpp) share on a CPU
// rank: the slice by columns, Visited, Label and depths.
#pragma once

#include "algorithm/bfs/cpu_arrays.hpp"
#include "algorithm/bfs/vector_queue/finds.hpp"
#include "algorithm/bfs/vector_queue/steps.hpp"

namespace gossamer::bfs_detail {

struct visited_rows {
  shared_array<std::uint8_t> visited;

  void list(algorithm_detail::array_list& of, std::int64_t rows) { of.add(visited, rows); }
};

/// What both ways take.
inline queue_bytes cpu_queue_bytes(const planned_rank& p) {
  return {algorithm_detail::counted<visited_rows>(p.rows()).own,
          p.id_width == 4 ? turned_slice<shared_array, vertex32>::bytes(p)
                          : turned_slice<shared_array, vertex64>::bytes(p),
          0};
}

template <class Id>
class cpu_queue_steps : public vector_queue_steps<Id> {
 public:
  cpu_queue_steps(const placed_graph& g, int rank, int label_bytes);

  void begin(rank& r, std::int64_t source_local, std::int64_t* queue) override;
  void labels(rank& r, std::int64_t* into) override;
  [[nodiscard]] found_rows<Id> found() const override;
  void smallest_parents(rank& r, const window<std::int32_t>& all_depths) override;
  [[nodiscard]] bfs_result::part take_part() override {
    return lend_part(pool_, result_, rank_, arrivals_.rows);
  }

 protected:
  /// Arcs of placed id u that lead to this rank: places in arrivals_.ends.
  [[nodiscard]] edge_offset from(std::int64_t u) const { return arrivals_.offsets[u]; }
  [[nodiscard]] edge_offset to(std::int64_t u) const { return arrivals_.offsets[u + 1]; }
  /// Enters a row that is found: its label and depth.
  void enter(std::int64_t row, std::int64_t parent, std::int32_t depth) {
    result_.parents[row] = static_cast<Id>(parent);
    result_.depths[row] = depth;
    seen_.visited[row] = 1;
  }
  /// Bytes that a modelled GPU moves to enter so many rows.
  [[nodiscard]] double traffic_of_finds(std::int64_t rows) const {
    return static_cast<double>(rows) * (label_bytes_ + sizeof(std::int32_t) + 1);
  }
  /// Bytes that a modelled GPU moves for a queue's entries, their offsets and columns: see
  /// steps.hpp.
  [[nodiscard]] double traffic_of_rows(std::int64_t entries, std::int64_t rows_with_arcs,
                                       std::int64_t arcs) const;
  /// The finds of a level, ready to be written; bits are cleared.
  [[nodiscard]] packed_finds clear_finds(std::uint32_t* into, std::int64_t found) const;

  const placed_graph& graph_;
  ownership_view owners_;
  int rank_, threads_, label_bytes_;
  double line_;  ///< bytes that an access to a random place is charged
  column_slice<Id> arrivals_;
  visited_rows seen_;
  result_arrays<Id> result_;
  std::int64_t arcs_ = 0;  ///< gathered since clear()

 private:
  void turn_slice(const graph_slice<Id>& slice);

  turned_slice<shared_array, Id> turned_;
  result_pool<Id> pool_;
};

}  // namespace gossamer::bfs_detail
