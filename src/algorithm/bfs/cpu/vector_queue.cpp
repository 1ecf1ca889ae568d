#include "algorithm/bfs/cpu/vector_queue.hpp"

#include <algorithm>
#include <atomic>
#include <utility>

#include "algorithm/bfs/cpu/smallest_parents.hpp"
#include "algorithm/bfs/share_depths.hpp"
#include "gossamer/machine/system.hpp"

namespace gossamer::bfs_detail {

namespace {

constexpr std::int64_t team_arcs = 65536;     // rows that the whole team shares
constexpr std::int64_t worth_threads = 1024;  // queue entries, or counts of the scan

std::int64_t counts_of(std::int64_t rows) {
  return (rows + rows_per_count - 1) / rows_per_count;
}

}  // namespace

template <class Id>
cpu_vector_queue<Id>::cpu_vector_queue(const placed_graph& g, int rank)
    : graph_(g),
      owners_(g.owners().view()),
      rank_(rank),
      ranks_(g.on().size()),
      threads_(std::max(1, g.on()[rank].threads)),
      scatter_(g.on()[rank].model == nullptr ? 0 : g.on()[rank].model->kernel.scatter),
      slice_(g.slice<Id>(rank)),
      first_(slice_.offsets),
      own_(slice_.columns),
      vector_(make_array<std::int64_t>(static_cast<std::size_t>(slice_.rows))),
      visited_(make_array<std::uint8_t>(static_cast<std::size_t>(slice_.rows))),
      counts_(static_cast<std::size_t>(counts_of(slice_.rows)) + 1),
      pool_(static_cast<std::size_t>(slice_.rows)) {
  if (ranks_ > 1) turn_slice(g.owners().placed());
}

// A counting sort. Counts are kept two places ahead: when u's arcs have been placed, the cursor
// that stood at its begin is its end, which is where u + 1 begins.
template <class Id>
void cpu_vector_queue<Id>::turn_slice(std::int64_t placed) {
  offsets_ = make_array<edge_offset>(static_cast<std::size_t>(placed) + 2);
  rows_ = make_array<Id>(static_cast<std::size_t>(slice_.in_arcs));
  std::fill(offsets_.begin(), offsets_.end(), 0);
  for (std::int64_t a = 0; a < slice_.in_arcs; ++a) ++offsets_[slice_.in_columns[a] + 2];
  for (std::int64_t u = 0; u < placed; ++u) offsets_[u + 2] += offsets_[u + 1];
  for (std::int64_t v = 0; v < slice_.rows; ++v)
    for (edge_offset a = slice_.in_offsets[v]; a < slice_.in_offsets[v + 1]; ++a)
      rows_[offsets_[slice_.in_columns[a] + 1]++] = static_cast<Id>(v);
  first_ = offsets_.data();
  own_ = rows_.data();
}

template <class Id>
void cpu_vector_queue<Id>::begin(rank&, std::int64_t source, std::int64_t* queue) {
  result_ = pool_.take();
  const std::int64_t placed = source < 0 ? -1 : owners_.global(rank_, source);
  begin_result(result_, slice_.rows, source, static_cast<Id>(placed));
  std::fill(visited_.begin(), visited_.end(), 0);
  if (source < 0) return;
  visited_[source] = 1;
  queue[0] = placed;
}

template <class Id>
void cpu_vector_queue<Id>::clear(rank& r) {
  arcs_ = 0;
#ifdef _OPENMP
#pragma omp parallel for schedule(static) num_threads(threads_) if (threads_ > 1)
#endif
  for (std::int64_t v = 0; v < slice_.rows; ++v) vector_[v] = -1;
  r.charge(static_cast<double>(slice_.rows) * 8, 0);
}

template <class Id>
void cpu_vector_queue<Id>::scatter(std::int64_t u, edge_offset from, edge_offset to) {
  for (edge_offset a = from; a < to; ++a)
    std::atomic_ref(vector_[own_[a]]).store(u, std::memory_order_relaxed);
}

template <class Id>
void cpu_vector_queue<Id>::gather(rank& r, std::span<const std::int64_t> queue) {
  const auto n = static_cast<std::int64_t>(queue.size());
  const bool team = threads_ > 1;
  std::int64_t arcs = 0, shared = 0;
#ifdef _OPENMP
#pragma omp parallel for schedule(dynamic, 64) reduction(+ : arcs, shared) \
    num_threads(threads_) if (team && n >= worth_threads)
#endif
  for (std::int64_t i = 0; i < n; ++i) {
    const std::int64_t u = queue[static_cast<std::size_t>(i)];
    const edge_offset degree = first_[u + 1] - first_[u];
    arcs += degree;
    if (team && degree >= team_arcs)
      ++shared;
    else
      scatter(u, first_[u], first_[u + 1]);
  }
  for (std::int64_t i = 0; shared > 0; ++i) {
    const std::int64_t u = queue[static_cast<std::size_t>(i)];
    const edge_offset begin = first_[u], end = first_[u + 1];
    if (end - begin < team_arcs) continue;
    --shared;
#ifdef _OPENMP
#pragma omp parallel for schedule(static) num_threads(threads_)
#endif
    for (edge_offset a = begin; a < end; ++a) scatter(u, a, a + 1);
  }
  arcs_ += arcs;
  r.charge(
      static_cast<double>(n) * (8 + sector) + static_cast<double>(arcs) * (sizeof(Id) + scatter_),
      0);
}

template <class Id>
void cpu_vector_queue<Id>::update(rank& r, std::int32_t depth) {
  const std::int64_t pieces = counts_of(slice_.rows);
  std::int64_t found = 0, fresh = 0;
#ifdef _OPENMP
#pragma omp parallel for schedule(static) reduction(+ : found, fresh) \
    num_threads(threads_) if (threads_ > 1 && pieces > 1)
#endif
  for (std::int64_t c = 0; c < pieces; ++c) {
    std::int64_t left = 0;
    const std::int64_t end = std::min(slice_.rows, (c + 1) * rows_per_count);
    for (std::int64_t v = c * rows_per_count; v < end; ++v) {
      if (vector_[v] < 0) continue;
      ++found;
      if (visited_[v] != 0) {
        vector_[v] = -1;
        continue;
      }
      result_.parents[v] = static_cast<Id>(vector_[v]);
      result_.depths[v] = depth;
      visited_[v] = 1;
      ++left;
    }
    counts_[static_cast<std::size_t>(c)] = left;
    fresh += left;
  }
  r.charge(static_cast<double>(slice_.rows) * 8 + static_cast<double>(found) +
               static_cast<double>(found - fresh) * 8 +
               static_cast<double>(fresh) * (sizeof(Id) + sizeof(std::int32_t) + 1),
           0);
}

template <class Id>
step_result cpu_vector_queue<Id>::convert(rank& r, std::int64_t* queue) {
  const std::int64_t pieces = counts_of(slice_.rows);
  std::int64_t before = 0;
  for (std::int64_t& c : counts_) before += std::exchange(c, before);
  const std::int64_t all = before;
  r.charge(static_cast<double>(pieces) * 16, 0);
#ifdef _OPENMP
#pragma omp parallel for schedule(static) num_threads(threads_) if (threads_ > 1 && pieces > 1)
#endif
  for (std::int64_t c = 0; c < pieces; ++c) {
    std::int64_t at = counts_[static_cast<std::size_t>(c)];
    const std::int64_t end = std::min(slice_.rows, (c + 1) * rows_per_count);
    for (std::int64_t v = c * rows_per_count; v < end; ++v)
      if (vector_[v] >= 0) queue[at++] = owners_.global(rank_, v);
  }
  counts_.back() = 0;
  r.charge(static_cast<double>(slice_.rows + all) * 8, 0);
  return {all, arcs_};
}

template <class Id>
void cpu_vector_queue<Id>::smallest_parents(rank& r, const window<std::int32_t>& all_depths) {
  share_depths(r, all_depths, owners_, result_.depths.data(), slice_.rows);
  smallest_parents_of(slice_, result_.depths.data(), all_depths.local().data(),
                      graph_.vertex_of_placed<Id>(rank_), graph_.source().sorted, threads_,
                      result_.parents.data());
}

template <class Id>
bfs_result::part cpu_vector_queue<Id>::take_part() {
  return lend_part(pool_, result_, rank_, slice_.rows);
}

template class cpu_vector_queue<vertex32>;
template class cpu_vector_queue<vertex64>;

template <class Id>
std::unique_ptr<vector_queue_steps<Id>> make_cpu_vector_queue(const placed_graph& g, int rank) {
  return std::make_unique<cpu_vector_queue<Id>>(g, rank);
}
template std::unique_ptr<vector_queue_steps<vertex32>> make_cpu_vector_queue(const placed_graph&,
                                                                             int);
template std::unique_ptr<vector_queue_steps<vertex64>> make_cpu_vector_queue(const placed_graph&,
                                                                             int);

vector_queue_bytes cpu_vector_queue_bytes(std::int64_t rows, std::int64_t placed,
                                          std::int64_t in_arcs, int id_width, int ranks) {
  vector_queue_bytes b;
  b.work = rows * (8 + 1) + (counts_of(rows) + 1) * 8;
  b.result = rows * (id_width + 4);
  if (ranks > 1) b.arrivals = (placed + 2) * 8 + in_arcs * id_width;
  return b;
}

}  // namespace gossamer::bfs_detail
