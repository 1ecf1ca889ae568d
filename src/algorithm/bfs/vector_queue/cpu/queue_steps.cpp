// Turns the rank's rows by a counting sort, so that each source has its targets side by side, and
// keeps what both kinds of steps change: Visited, Label and depths.
#include "algorithm/bfs/vector_queue/cpu/queue_steps.hpp"

#include <algorithm>

#include "algorithm/bfs/smallest_parents/share_depths.hpp"
#include "algorithm/bfs/vector_queue/cpu/smallest_parents.hpp"
#include "gossamer/machine/system.hpp"

namespace gossamer::bfs_detail {

template <class Id>
cpu_queue_steps<Id>::cpu_queue_steps(const placed_graph& g, int rank, int label_bytes)
    : graph_(g),
      owners_(g.owners().view()),
      rank_(rank),
      threads_(std::max(1, g.on()[rank].threads)),
      label_bytes_(label_bytes),
      line_(g.on()[rank].model == nullptr ? 0 : g.on()[rank].model->kernel.scatter),
      arrivals_(arrivals_of<Id>(g, rank)),
      pool_(static_cast<std::size_t>(arrivals_.rows)) {
  const bool turns = arrivals_.offsets == nullptr;
  algorithm_detail::array_list taken(g.on()[rank]);
  seen_.list(taken, arrivals_.rows);
  turned_.list(taken, arrivals_.vertices, arrivals_.arcs, turns);
  if (turns) turn_slice(g.slice<Id>(rank));
}

// A counting sort. Counts are kept two places ahead: when u's arcs have been placed, the cursor
// that stood at its begin is its end, which is where u + 1 begins.
template <class Id>
void cpu_queue_steps<Id>::turn_slice(const graph_slice<Id>& slice) {
  std::fill(turned_.offsets.begin(), turned_.offsets.end(), 0);
  for (std::int64_t a = 0; a < slice.in_arcs; ++a) ++turned_.offsets[slice.in_columns[a] + 2];
  for (std::int64_t u = 0; u < arrivals_.vertices; ++u)
    turned_.offsets[u + 2] += turned_.offsets[u + 1];
  for (std::int64_t v = 0; v < slice.rows; ++v)
    for (edge_offset a = slice.in_offsets[v]; a < slice.in_offsets[v + 1]; ++a)
      turned_.rows[turned_.offsets[slice.in_columns[a] + 1]++] = static_cast<Id>(v);
  arrivals_.offsets = turned_.offsets.data();
  arrivals_.ends = turned_.rows.data();
}

template <class Id>
void cpu_queue_steps<Id>::begin(rank&, std::int64_t source, std::int64_t* queue) {
  result_ = pool_.take();
  const std::int64_t placed = source < 0 ? -1 : owners_.global(rank_, source);
  begin_result(result_, arrivals_.rows, source, static_cast<Id>(placed));
  std::fill(seen_.visited.begin(), seen_.visited.end(), 0);
  if (source < 0) return;
  seen_.visited[source] = 1;
  queue[0] = placed;
}

// A modelled GPU has them as 8 bytes already: nothing is charged.
template <class Id>
void cpu_queue_steps<Id>::labels(rank&, std::int64_t* into) {
  std::copy_n(result_.parents.data(), arrivals_.rows, into);
}

template <class Id>
found_rows<Id> cpu_queue_steps<Id>::found() const {
  const auto n = static_cast<std::size_t>(arrivals_.rows);
  return {{result_.parents.data(), n}, {result_.depths.data(), n}};
}

template <class Id>
double cpu_queue_steps<Id>::traffic_of_rows(std::int64_t entries, std::int64_t rows_with_arcs,
                                            std::int64_t arcs) const {
  return static_cast<double>(entries) * (8 + 8 + line_) +
         static_cast<double>(rows_with_arcs) * (line_ - sizeof(Id)) +
         static_cast<double>(arcs) * sizeof(Id);
}

template <class Id>
packed_finds cpu_queue_steps<Id>::clear_finds(std::uint32_t* into, std::int64_t found) const {
  const auto finds = packed_finds::in(into, arrivals_.rows, found, label_bytes_);
  if (finds.bits) std::fill_n(finds.rows, (arrivals_.rows + 31) / 32, 0u);
  return finds;
}

template <class Id>
void cpu_queue_steps<Id>::smallest_parents(rank& r, const window<std::int32_t>& all_depths) {
  share_depths(r, all_depths, owners_, result_.depths.data(), arrivals_.rows);
  smallest_parents_by_columns(arrivals_, result_.depths.data(), all_depths.local().data(),
                              graph_.vertex_of_placed<Id>(rank_), threads_, result_.parents.data());
}

template class cpu_queue_steps<vertex32>;
template class cpu_queue_steps<vertex64>;

}  // namespace gossamer::bfs_detail
