// Turns the rank's rows by a counting sort, so that each source has its targets side by side, and
// keeps what both kinds of steps change: Visited, Label and depths.
#include "algorithm/bfs/vector_queue/cpu/queue_steps.hpp"

#include <algorithm>

#include "algorithm/bfs/smallest_parents/smallest_parents.hpp"
#include "gossamer/machine/system.hpp"

namespace gossamer::bfs_detail {

template <class Id>
cpu_queue_steps<Id>::cpu_queue_steps(const placed_graph& g, int rank)
    : graph_(g),
      owners_(g.owners().view()),
      rank_(rank),
      ranks_(g.on().size()),
      threads_(std::max(1, g.on()[rank].threads)),
      line_(g.on()[rank].model == nullptr ? 0 : g.on()[rank].model->kernel.scatter),
      slice_(g.slice<Id>(rank)),
      own_(slice_.columns),
      first_(slice_.offsets),
      pool_(static_cast<std::size_t>(slice_.rows)) {
  algorithm_detail::array_list taken(g.on()[rank]);
  seen_.list(taken, slice_.rows);
  turned_.list(taken, g.owners().placed(), slice_.in_arcs, ranks_);
  if (ranks_ > 1) turn_slice(g.owners().placed());
}

// A counting sort. Counts are kept two places ahead: when u's arcs have been placed, the cursor
// that stood at its begin is its end, which is where u + 1 begins.
template <class Id>
void cpu_queue_steps<Id>::turn_slice(std::int64_t placed) {
  std::fill(turned_.offsets.begin(), turned_.offsets.end(), 0);
  for (std::int64_t a = 0; a < slice_.in_arcs; ++a) ++turned_.offsets[slice_.in_columns[a] + 2];
  for (std::int64_t u = 0; u < placed; ++u) turned_.offsets[u + 2] += turned_.offsets[u + 1];
  for (std::int64_t v = 0; v < slice_.rows; ++v)
    for (edge_offset a = slice_.in_offsets[v]; a < slice_.in_offsets[v + 1]; ++a)
      turned_.rows[turned_.offsets[slice_.in_columns[a] + 1]++] = static_cast<Id>(v);
  first_ = turned_.offsets.data();
  own_ = turned_.rows.data();
}

template <class Id>
void cpu_queue_steps<Id>::begin(rank&, std::int64_t source, std::int64_t* queue) {
  result_ = pool_.take();
  const std::int64_t placed = source < 0 ? -1 : owners_.global(rank_, source);
  begin_result(result_, slice_.rows, source, static_cast<Id>(placed));
  std::fill(seen_.visited.begin(), seen_.visited.end(), 0);
  if (source < 0) return;
  seen_.visited[source] = 1;
  queue[0] = placed;
}

// A modelled GPU has them as 8 bytes already: nothing is charged.
template <class Id>
void cpu_queue_steps<Id>::labels(rank&, std::int64_t* into) {
  std::copy_n(result_.parents.data(), slice_.rows, into);
}

template <class Id>
found_rows<Id> cpu_queue_steps<Id>::found() const {
  const auto n = static_cast<std::size_t>(slice_.rows);
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
packed_finds<Id> cpu_queue_steps<Id>::clear_finds(std::uint32_t* into, std::int64_t found) const {
  const auto finds = packed_finds<Id>::in(into, slice_.rows, found);
  if (finds.bits) std::fill_n(finds.rows, (slice_.rows + 31) / 32, 0u);
  return finds;
}

template <class Id>
void cpu_queue_steps<Id>::smallest_parents(rank& r, const window<std::int32_t>& all_depths) {
  smallest_parents_of(r, graph_, slice_, result_, threads_, all_depths);
}

template class cpu_queue_steps<vertex32>;
template class cpu_queue_steps<vertex64>;

}  // namespace gossamer::bfs_detail
