// Paper A's kernels on a GPU rank: its arrays and the host side of its steps (see
// vector_queue/steps.hpp). All steps are launches in the rank's stream; convert() alone waits.
#pragma once

#include <memory>

#include "algorithm/bfs/cuda/launch.hpp"
#include "algorithm/bfs/cuda/result_pool.hpp"
#include "algorithm/bfs/vector_queue/finds.hpp"
#include "algorithm/bfs/vector_queue/steps.hpp"
#include "gossamer/machine/stream.hpp"

namespace gossamer::bfs_detail::cuda {

/// What convert() brings back to the host; `neighbours`: what update() does, when it sorts.
struct queue_report {
  long long vertices;
  long long arcs;
  unsigned long long neighbours;
};
/// What a level adds up to on the device.
struct level_tally {
  unsigned long long arcs;        ///< gathered since the last report
  unsigned long long neighbours;  ///< in their queue, when they are sorted
  long long found;                ///< by the last report
};

/// What the kernels see.
template <class Id>
struct vector_queue_view {
  std::int64_t rows;
  std::int64_t vertices;     ///< of the whole graph, placed
  const edge_offset* first;  ///< arrivals of placed id u: own[first[u]] … own[first[u + 1] - 1]
  const Id* own;             ///< local indices
  std::int64_t* vector;
  std::uint8_t* visited;
  Id* labels;
  std::int32_t* depths;
  std::int64_t* counts;  ///< survivors of each rows_per_count rows, then where they begin
  level_tally* tally;
  queue_report* report;  ///< pinned
  std::int64_t* keys;    ///< queue of neighbours: rows; Vector: nullptr
  std::int64_t* values;  ///< … and their parents; -1 = no find
  std::int64_t room;     ///< of keys and of values
  ownership_view owners;
  int me;
  int label_bytes;  ///< of finds
};

// The kernels as functions: asynchronous in `on.stream`; rows >= 1, n >= 1.
template <class Id>
void enter_source(const launch_site& on, const vector_queue_view<Id>& v, std::int64_t local,
                  std::int64_t* queue);
template <class Id>
void gather_neighbours(const launch_site& on, const vector_queue_view<Id>& v,
                       const std::int64_t* queue, std::int64_t n);
template <class Id>
void update_labels(const launch_site& on, const vector_queue_view<Id>& v, std::int32_t depth);
/// Writes the report, too, and begins to count arcs anew.
template <class Id>
void vector_to_queue(const launch_site& on, const vector_queue_view<Id>& v, std::int64_t* queue,
                     std::uint32_t* finds);
/// Of rows that are reached, whose labels are parents one level up: the smallest in the caller's
/// numbering. `all_depths`: of so many placed ids; `names`: caller's id of each, nullptr when they
/// are the same.
template <class Id>
void smallest_labels(const launch_site& on, const vector_queue_view<Id>& v, std::int64_t vertices,
                     const std::int32_t* all_depths, const Id* names);
/// Counting sort of the slice by columns. `offsets`: placed + 2 zeroed entries; `counts`: one for
/// each rows_per_count of them.
template <class Id>
void turn_slice(const launch_site& on, const graph_slice<Id>& slice, std::int64_t placed,
                edge_offset* offsets, Id* own, std::int64_t* counts);

/// Vector, Visited and counts.
struct queue_arrays {
  buffer<std::int64_t> vector, counts;
  buffer<std::uint8_t> visited;
  buffer<level_tally> tally;

  /// `turned`: placed ids of the slice by columns that is made, else 0; `sorted`: of as many arcs,
  /// the queue that is sorted in Vector's place.
  void list(algorithm_detail::array_list& of, std::int64_t rows, std::int64_t turned,
            std::int64_t sorted, bool sorts) {
    if (!sorts) of.add(vector, rows);
    of.add(visited, rows);
    // Counts serve the slice by columns first, which has more entries than rows.
    const std::int64_t entries = std::max(turned > 0 ? turned + 2 : rows, sorts ? sorted : 0);
    of.add(counts, (entries + rows_per_count - 1) / rows_per_count);
    of.add(tally, 1);
  }
};

template <class Id>
class vector_queue_arrays : public vector_queue_steps<Id> {
 public:
  /// `sorts`: without Vector, and with counts for a queue of all arcs (sort_unique.hpp).
  vector_queue_arrays(const placed_graph& g, int rank, int label_bytes, bool sorts = false);

  void begin(rank& r, std::int64_t source_local, std::int64_t* queue) override;
  void clear(rank& r) override;
  void gather(rank& r, std::span<const std::int64_t> queue) override;
  void update(rank& r, std::int32_t depth) override;
  step_result convert(rank& r, std::int64_t* queue, std::uint32_t* finds) override;
  void labels(rank& r, std::int64_t* into) override;
  [[nodiscard]] found_rows<Id> found() const override;
  void smallest_parents(rank& r, const window<std::int32_t>& all_depths) override;
  [[nodiscard]] bfs_result::part take_part() override { return pool_.lend(result_); }

 protected:
  vector_queue_view<Id> view_{};
  const column_slice<Id> arrivals_;

 private:
  const placed_graph& graph_;
  const device device_;
  const int rank_, ranks_;
  turned_slice<buffer, Id> turned_;
  queue_arrays arrays_;
  buffer<queue_report> report_;  // pinned
  result_pool<Id> pool_;
  result_arrays<Id> result_;
};

}  // namespace gossamer::bfs_detail::cuda
