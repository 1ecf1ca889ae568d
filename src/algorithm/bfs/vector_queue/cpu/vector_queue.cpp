// Scatter, update and the compaction into the next queue by a team of OpenMP threads. What each
// step reads and writes is charged to modelled GPUs.
#include "algorithm/bfs/vector_queue/cpu/vector_queue.hpp"

#include <algorithm>
#include <atomic>
#include <utility>

namespace gossamer::bfs_detail {

namespace {

constexpr std::int64_t team_arcs = 65536;     // rows that the whole team shares
constexpr std::int64_t worth_threads = 1024;  // queue entries, or counts of the scan

}  // namespace

template <class Id>
cpu_vector_queue<Id>::cpu_vector_queue(const placed_graph& g, int rank, int label_bytes)
    : cpu_queue_steps<Id>(g, rank, label_bytes) {
  algorithm_detail::array_list taken(g.on()[rank]);
  arrays_.list(taken, arrivals_.rows);
}

template <class Id>
void cpu_vector_queue<Id>::clear(rank& r) {
  this->arcs_ = 0;
#pragma omp parallel for schedule(static) num_threads(threads_) if (threads_ > 1)
  for (std::int64_t v = 0; v < arrivals_.rows; ++v) arrays_.vector[v] = -1;
  r.charge(static_cast<double>(arrivals_.rows) * 8, 0);
}

template <class Id>
void cpu_vector_queue<Id>::scatter(std::int64_t u, edge_offset begin, edge_offset end) {
  for (edge_offset a = begin; a < end; ++a)
    std::atomic_ref(arrays_.vector[arrivals_.ends[a]]).store(u, std::memory_order_relaxed);
}

template <class Id>
void cpu_vector_queue<Id>::gather(rank& r, std::span<const std::int64_t> queue) {
  const auto n = static_cast<std::int64_t>(queue.size());
  const bool team = threads_ > 1;
  std::int64_t arcs = 0, rows = 0, shared = 0;
#pragma omp parallel for schedule(dynamic, 64) reduction(+ : arcs, rows, shared) \
    num_threads(threads_) if (team && n >= worth_threads)
  for (std::int64_t i = 0; i < n; ++i) {
    const std::int64_t u = queue[static_cast<std::size_t>(i)];
    const edge_offset degree = to(u) - from(u);
    arcs += degree;
    rows += degree > 0 ? 1 : 0;
    if (team && degree >= team_arcs)
      ++shared;
    else
      scatter(u, from(u), to(u));
  }
  for (std::int64_t i = 0; shared > 0; ++i) {
    const std::int64_t u = queue[static_cast<std::size_t>(i)];
    const edge_offset begin = from(u), end = to(u);
    if (end - begin < team_arcs) continue;
    --shared;
#pragma omp parallel for schedule(static) num_threads(threads_)
    for (edge_offset a = begin; a < end; ++a) scatter(u, a, a + 1);
  }
  this->arcs_ += arcs;
  r.charge(this->traffic_of_rows(n, rows, arcs) + static_cast<double>(arcs) * this->line_, 0);
}

template <class Id>
void cpu_vector_queue<Id>::update(rank& r, std::int32_t depth) {
  const std::int64_t pieces = vector_arrays::counts_of(arrivals_.rows);
  std::int64_t found = 0, fresh = 0;
#pragma omp parallel for schedule(static) reduction(+ : found, fresh) \
    num_threads(threads_) if (threads_ > 1 && pieces > 1)
  for (std::int64_t c = 0; c < pieces; ++c) {
    std::int64_t left = 0;
    const std::int64_t end = std::min(arrivals_.rows, (c + 1) * rows_per_count);
    for (std::int64_t v = c * rows_per_count; v < end; ++v) {
      if (arrays_.vector[v] < 0) continue;
      ++found;
      if (seen_.visited[v] != 0) {
        arrays_.vector[v] = -1;
        continue;
      }
      this->enter(v, arrays_.vector[v], depth);
      ++left;
    }
    arrays_.counts[static_cast<std::size_t>(c)] = left;
    fresh += left;
  }
  r.charge(static_cast<double>(arrivals_.rows) * 8 + static_cast<double>(found) +
               static_cast<double>(found - fresh) * 8 + this->traffic_of_finds(fresh),
           0);
}

template <class Id>
step_result cpu_vector_queue<Id>::convert(rank& r, std::int64_t* queue, std::uint32_t* into) {
  const std::int64_t pieces = vector_arrays::counts_of(arrivals_.rows);
  std::int64_t before = 0;
  for (std::int64_t& c : arrays_.counts) before += std::exchange(c, before);
  const std::int64_t all = before;
  r.charge(static_cast<double>(pieces) * 16, 0);
  packed_finds finds{};
  if (into != nullptr) finds = this->clear_finds(into, all);
#pragma omp parallel for schedule(static) num_threads(threads_) if (threads_ > 1 && pieces > 1)
  for (std::int64_t c = 0; c < pieces; ++c) {
    std::int64_t at = arrays_.counts[static_cast<std::size_t>(c)];
    const std::int64_t end = std::min(arrivals_.rows, (c + 1) * rows_per_count);
    for (std::int64_t v = c * rows_per_count; v < end; ++v) {
      if (arrays_.vector[v] < 0) continue;
      if (into != nullptr) finds.put(at, v, arrays_.vector[v]);
      queue[at++] = owners_.global(rank_, v);
    }
  }
  arrays_.counts.back() = 0;
  r.charge(static_cast<double>(arrivals_.rows + all) * 8 + (into == nullptr ? 0 : finds.traffic()),
           0);
  return {all, this->arcs_};
}

template <class Id>
std::unique_ptr<vector_queue_steps<Id>> make_cpu_vector_queue(const placed_graph& g, int rank,
                                                              int label_bytes) {
  return std::make_unique<cpu_vector_queue<Id>>(g, rank, label_bytes);
}
GOSSAMER_QUEUE_STEPS(make_cpu_vector_queue)

queue_bytes cpu_vector_queue_bytes(const planned_rank& p) {
  queue_bytes b = cpu_queue_bytes(p);
  b.work += algorithm_detail::counted<vector_arrays>(p.rows()).own;
  return b;
}

}  // namespace gossamer::bfs_detail
