// What one rank does by itself in paper A's breadth-first search: the four kernels over Label,
// Visited, Vector and Queue. vector_queue.hpp has the loop around them, exchange.hpp what ranks
// send, delivery.hpp what the host gets.
//
//   Label    parents of own vertices, placed ids (the result's array, of its width; a modelled
//   GPU's
//            has the width of labels on their way to the host, delivery.hpp)
//   Visited  1 byte an own vertex
//   Vector   8 bytes an own vertex: a parent found in this level, -1 = none. Whoever writes last
//            wins, so that duplicates vanish without a sort
//   Queue    8 bytes a frontier vertex, its placed id
//
// bfs_options::duplicates chooses between Vector and what the paper compares it with: a queue of
// all neighbours gathered, 16 bytes each with the parent, which is sorted (cpu/sort_unique.hpp).
//
// The partition is by columns: for every placed id u, `arrivals` lists those neighbours of u that
// this rank owns. So the rank reads all ranks' queues and writes into its own Vector alone. The
// offsets take 8 bytes for each vertex of the whole graph on every rank, as in the paper. Nothing
// is made where they lie there already: with one rank, which owns all neighbours, and where the
// graph is placed by columns. Of one placed by rows, for any engine, a rank turns its own, which
// takes a second copy of them.
//
// Modelled machines charge each step as a kernel that moves, in bytes:
//
//   clear     8 a row
//   gather    8 a queue entry; its two offsets and its arcs begin at random places. A run of
//             b bytes in pieces of w touches (b - w) / L + 1 lines of L bytes in the mean of all
//             beginnings: L + 8 for the offsets, L - id and an id an arc for the arcs. Then a store
//             to a random place of Vector an arc, a line. L is model::worker::scatter.
//   update    8 a row; 1 (Visited) for each row found, and 8 (Vector) for each of those that had
//             been visited, or a label, a depth and 1 for each that had not
//   convert   8 a row, 8 for each entry written, and the finds; before it a scan of one count for
//             1,024 rows
#pragma once

#include <cstdint>
#include <span>

#include "algorithm/bfs/rank_search.hpp"

namespace gossamer::bfs_detail {

/// Rows whose number of survivors is one count of the scan.
inline constexpr std::int64_t rows_per_count = 1024;

/// Of own rows.
template <class Id>
struct found_rows {
  std::span<const Id> parents;
  std::span<const std::int32_t> depths;
};

/// Arcs that lead to a rank's vertices, as in column_slice; no offsets: they are to be made of the
/// rank's rows. To a single rank lead all arcs of the graph, whether its slice keeps in-arcs or
/// not.
template <class Id>
column_slice<Id> arrivals_of(const placed_graph& g, int rank) {
  if (g.by_columns()) return g.column_slice<Id>(rank);
  const graph_slice<Id>& slice = g.slice<Id>(rank);
  if (g.on().size() == 1) return {slice.rows, slice.rows, slice.arcs, slice.offsets, slice.columns};
  return {g.owners().placed(), slice.rows, slice.in_arcs};
}

/// Arrivals that a rank turns its rows into, in arrays of the host (shared_array) or a GPU
/// (buffer).
template <template <class> class Array, class Id>
struct turned_slice {
  Array<edge_offset> offsets;  ///< [placed + 2]
  Array<Id> rows;              ///< [in_arcs]

  void list(algorithm_detail::array_list& of, std::int64_t placed, std::int64_t in_arcs,
            bool needed) {
    if (!needed) return;
    of.add(offsets, placed + 2);
    of.add(rows, in_arcs);
  }
  /// What it takes of a planned rank.
  static std::int64_t bytes(const planned_rank& p) {
    return algorithm_detail::counted<turned_slice>(p.placed(), p.in_arcs, p.turns_rows()).own;
  }
};

template <class Id>
class vector_queue_steps {
 public:
  virtual ~vector_queue_steps() = default;
  /// Label := -1, Visited := 0; enters the source (local index; -1 = another rank's), also into
  /// `queue`, this rank's in its native memory.
  virtual void begin(rank& r, std::int64_t source_local, std::int64_t* queue) = 0;
  /// Vector := -1.
  virtual void clear(rank& r) = 0;
  /// GatherNeighbors: Vector[v] := u for u in `queue` (memory this rank can read, not empty) and
  /// each own neighbour v of u.
  virtual void gather(rank& r, std::span<const std::int64_t> queue) = 0;
  /// UpdateLabels: where Vector[v] >= 0, either v was visited and Vector[v] := -1, or it gets its
  /// label and `depth`.
  virtual void update(rank& r, std::int32_t depth) = 0;
  /// ConvertVtoQ: the vertices left in Vector into `queue`, ascending. Returns, when the queue is
  /// complete, their number and the arcs gathered since clear(). `finds`: where the host's copy of
  /// what they found is packed (finds.hpp), native memory, or nullptr.
  virtual step_result convert(rank& r, std::int64_t* queue, std::uint32_t* finds) = 0;
  /// Label as the paper has it, 8 bytes a row, in native memory; complete when it returns.
  virtual void labels(rank& r, std::int64_t* into) = 0;
  /// Label and depths of own rows where they are, in native memory.
  [[nodiscard]] virtual found_rows<Id> found() const = 0;
  /// As bfs_engine::smallest_parents.
  virtual void smallest_parents(rank& r, const window<std::int32_t>& all_depths) = 0;
  /// As bfs_engine::take_part.
  [[nodiscard]] virtual bfs_result::part take_part() = 0;
};

/// Of the arrays above on one rank, beside Label and depths, by what the plan tells apart.
struct queue_bytes {
  std::int64_t work;        ///< Visited, Vector, counts
  std::int64_t arrivals;    ///< the slice by columns, where it is made
  std::int64_t duplicates;  ///< the queue of neighbours and what sorting takes; Vector: 0
};

template <class Id>
std::unique_ptr<vector_queue_steps<Id>> make_cpu_vector_queue(const placed_graph& g, int rank,
                                                              int label_bytes);
template <class Id>
std::unique_ptr<vector_queue_steps<Id>> make_cpu_sort_unique(const placed_graph& g, int rank,
                                                             int label_bytes);
template <class Id>
std::unique_ptr<vector_queue_steps<Id>> make_cuda_vector_queue(const placed_graph& g, int rank,
                                                               int label_bytes);
template <class Id>
std::unique_ptr<vector_queue_steps<Id>> make_cuda_sort_unique(const placed_graph& g, int rank,
                                                              int label_bytes);
/// The explicit instantiations of one of them.
#define GOSSAMER_QUEUE_STEPS(make)                                                            \
  template std::unique_ptr<vector_queue_steps<vertex32>> make(const placed_graph&, int, int); \
  template std::unique_ptr<vector_queue_steps<vertex64>> make(const placed_graph&, int, int);
queue_bytes cpu_vector_queue_bytes(const planned_rank& p);
queue_bytes cpu_sort_unique_bytes(const planned_rank& p);
queue_bytes cuda_vector_queue_bytes(const planned_rank& p);
queue_bytes cuda_sort_unique_bytes(const planned_rank& p);

}  // namespace gossamer::bfs_detail
