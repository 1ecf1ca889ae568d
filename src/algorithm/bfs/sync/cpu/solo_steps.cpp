// The steps of cpu_solo: frontiers expanded top-down or found bottom-up, and the result written.
//
// While searching, a top-down step touches only what can be fetched ahead (rows) or stays in the
// cache (the bitmap of visited vertices). It appends (vertex, parent) to the queue. The result
// arrays are written from the queue at the end, in parallel, without one access that waits for
// another. Steps that branch on what is new write results at once: the branch keeps them few.
#include <algorithm>
#include <atomic>
#include <span>
#include <utility>

#include "algorithm/bfs/sync/cpu/frontier.hpp"
#include "algorithm/bfs/sync/cpu/solo.hpp"

namespace gossamer::bfs_detail {

template <class Id>
std::int64_t cpu_solo<Id>::frontier_arcs() const {
  std::int64_t sum = 0;
  for (std::int64_t i = head_; i < tail_; ++i) {
    if (i + 16 < tail_) __builtin_prefetch(&slice_.offsets[arrays_.queue[i + 16]]);
    const Id u = arrays_.queue[i];
    sum += slice_.offsets[u + 1] - slice_.offsets[u];
  }
  return sum;
}

template <class Id>
template <bool AskFirst, bool Guess>
std::int64_t cpu_solo<Id>::expand_serial(std::int32_t depth) {
  const edge_offset* offsets = slice_.offsets;
  const Id* columns = slice_.columns;
  std::uint64_t* visited = arrays_.visited.data();
  Id* queue = arrays_.queue.data();
  Id* from = arrays_.from.data();
  Id* parents = result_.parents.data();
  std::int32_t* depths = result_.depths.data();
  constexpr std::int64_t ahead = Guess ? 8 : 16;  // as measured on grids, and on roads
  std::int64_t out = tail_, looked = 0;
  for (std::int64_t i = head_; i < tail_; ++i) {
    // Past the end of the frontier the vertices just found follow: fetching theirs is no waste.
    if (i + 2 * ahead < out) __builtin_prefetch(&offsets[queue[i + 2 * ahead]]);
    if (i + ahead < out) __builtin_prefetch(&columns[offsets[queue[i + ahead]]]);
    const Id u = queue[i];
    const edge_offset begin = offsets[u], end = offsets[u + 1];
    looked += end - begin;
    // Where it cannot be guessed whether a neighbour is new, nothing branches on it: it is always
    // written behind the queue, which grows only when it is new.
    const auto enter = [&](Id v) {
      const std::uint64_t word = visited[v >> 6];
      const std::uint64_t bit = std::uint64_t{1} << (v & 63);
      if (Guess && (word & bit) != 0) return;
      visited[v >> 6] = word | bit;
      queue[out] = v;
      if constexpr (Guess) {
        parents[v] = u;
        depths[v] = depth;
        ++out;
      } else {
        from[out] = u;
        out += (word & bit) == 0;
      }
    };
    if (AskFirst && end - begin >= long_row)
      each_unmarked(std::span(columns + begin, columns + end), visited, enter);
    else
      for (edge_offset e = begin; e < end; ++e) enter(columns[e]);
  }
  head_ = tail_;
  tail_ = out;
  if (!Guess) stretches_.push_back({head_, tail_, depth});
  return looked;
}

template <class Id>
typename cpu_solo<Id>::thin_levels cpu_solo<Id>::expand_thin(std::int32_t depth,
                                                             std::vector<bfs_level>& log) {
  constexpr std::int32_t enough = 512;  // until somebody looks whether the run was given up
  const edge_offset* offsets = slice_.offsets;
  const Id* columns = slice_.columns;
  std::uint64_t* visited = arrays_.visited.data();
  Id* queue = arrays_.queue.data();
  Id* parents = result_.parents.data();
  std::int32_t* depths = result_.depths.data();
  std::int64_t head = head_, tail = tail_;
  thin_levels ran{0, 0, 0};
  bfs_level alike{tail - head, false, 0, 0};
  while (head < tail && tail - head <= thin_level && ran.levels < enough) {
    if (tail - head != alike.frontier) {
      log.push_back(alike);
      alike = {tail - head, false, 0, 0};
    }
    ++alike.levels;
    std::int64_t out = tail;
    for (std::int64_t i = head; i < tail; ++i) {
      const Id u = queue[i];
      const edge_offset begin = offsets[u], end = offsets[u + 1];
      ran.arcs += end - begin;
      for (edge_offset e = begin; e < end; ++e) {
        const Id v = columns[e];
        const std::uint64_t word = visited[v >> 6];
        const std::uint64_t bit = std::uint64_t{1} << (v & 63);
        // A guess, where expand_serial() has none: there is no other row whose accesses could be
        // under way, and a path's are guessed right.
        if ((word & bit) != 0) continue;
        visited[v >> 6] = word | bit;
        queue[out++] = v;
        parents[v] = u;
        depths[v] = depth + ran.levels;
      }
    }
    ran.vertices += tail - head;
    ++ran.levels;
    head = tail;
    tail = out;
  }
  log.push_back(alike);
  head_ = head;
  tail_ = tail;
  return ran;
}

template <class Id>
template <bool AskFirst>
std::int64_t cpu_solo<Id>::expand_parallel(std::int32_t depth) {
  shared_frontier<Id> level(slice_, arrays_.queue.data(), head_, tail_);
  std::atomic<std::int64_t> out{tail_}, looked{0};
  constexpr std::int64_t kept = 1024;
  std::uint64_t* visited = arrays_.visited.data();
#pragma omp parallel num_threads(threads_)
  {
    Id mine[kept], by[kept];
    std::int64_t count = 0, arcs = 0;
    const auto flush = [&] {
      const std::int64_t at = out.fetch_add(count, std::memory_order_relaxed);
      std::copy_n(mine, count, arrays_.queue.data() + at);
      std::copy_n(by, count, arrays_.from.data() + at);
      count = 0;
    };
    level.each([&](Id u) {
      const edge_offset begin = slice_.offsets[u], end = slice_.offsets[u + 1];
      arcs += end - begin;
      const auto enter = [&](Id v) {
        if (!claim_bit(visited, v)) return;
        mine[count] = v;
        by[count++] = u;
        if (count == kept) flush();
      };
      if (AskFirst && end - begin >= long_row)
        each_unmarked(std::span(slice_.columns + begin, slice_.columns + end), visited, enter);
      else
        for (edge_offset e = begin; e < end; ++e) enter(slice_.columns[e]);
    });
    flush();
    looked.fetch_add(arcs, std::memory_order_relaxed);
  }
  head_ = tail_;
  tail_ = out.load();
  stretches_.push_back({head_, tail_, depth});
  return looked.load();
}

template <class Id>
void cpu_solo<Id>::scatter_frontier() {
  std::fill(arrays_.front.begin(), arrays_.front.end(), 0);
  for (std::int64_t i = head_; i < tail_; ++i) set_bit(arrays_.front.data(), arrays_.queue[i]);
}

template <class Id>
std::int64_t cpu_solo<Id>::scan(std::int32_t depth) {
  const bottom_up_step<Id> step{slice_,
                                arrays_.tables,
                                arrays_.front.data(),
                                arrays_.visited.data(),
                                arrays_.next.data(),
                                result_.parents.data(),
                                result_.depths.data(),
                                depth};
  const std::int64_t found = step.all(threads_);
  std::swap(arrays_.front, arrays_.next);
  return found;
}

template <class Id>
void cpu_solo<Id>::gather_frontier() {
  // Appended without a stretch: their parents and depths are written already.
  const std::int64_t words = words_of(slice_.rows);
  head_ = tail_;
  for (std::int64_t w = 0; w < words; ++w) {
    each_bit(arrays_.front[w],
             [&](int b) { arrays_.queue[tail_++] = static_cast<Id>(w * 64 + b); });
  }
}

template <class Id>
std::int64_t cpu_solo<Id>::unvisited_arcs() const {
  // Unlinked rows of a directed graph have no in-arcs, count as visited, and may have out-arcs.
  const bool symmetric = slice_.in_offsets == slice_.offsets;
  const std::int64_t rows = slice_.rows, words = words_of(rows);
  std::int64_t sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum) num_threads(threads_) \
    if (threads_ > 1 && words > 512)
  for (std::int64_t w = 0; w < words; ++w) {
    each_bit(~arrays_.visited[w], [&](int b) { sum += degree(w * 64 + b); });
    if (symmetric) continue;
    each_bit(arrays_.tables.unlinked[w], [&](int b) {
      const std::int64_t v = w * 64 + b;
      if (v < rows && v != source_) sum += degree(v);
    });
  }
  return sum;
}

template <class Id>
void cpu_solo<Id>::settle() {
  [[maybe_unused]] const bool shared = threads_ > 1 && slice_.rows > 65536;
  const std::int64_t words = words_of(slice_.rows), all = tail_;
  Id* parents = result_.parents.data();
  std::int32_t* depths = result_.depths.data();
#pragma omp parallel num_threads(threads_) if (shared)
  {
#pragma omp for schedule(static) nowait
    for (std::int64_t w = 0; w < words; ++w) {
      each_bit(~arrays_.visited[w] | arrays_.tables.unlinked[w], [&](int b) {
        parents[w * 64 + b] = -1;
        depths[w * 64 + b] = -1;
      });
    }
    constexpr std::int64_t piece = 8192, ahead = 32;
#pragma omp for schedule(dynamic, 1)
    for (std::int64_t first = 0; first < all; first += piece) {
      const std::int64_t last = std::min(all, first + piece);
      auto at = std::upper_bound(stretches_.begin(), stretches_.end(), first,
                                 [](std::int64_t i, const stretch& s) { return i < s.end; });
      for (; at != stretches_.end() && at->begin < last; ++at) {
        const std::int64_t begin = std::max(first, at->begin), end = std::min(last, at->end);
        for (std::int64_t i = begin; i < end; ++i) {
          if (i + ahead < all) {
            __builtin_prefetch(&parents[arrays_.queue[i + ahead]], 1);
            __builtin_prefetch(&depths[arrays_.queue[i + ahead]], 1);
          }
          parents[arrays_.queue[i]] = arrays_.from[i];
          depths[arrays_.queue[i]] = at->depth;
        }
      }
    }
  }
  // A source without in-arcs is unlinked, and found nevertheless.
  parents[source_] = static_cast<Id>(source_);
  depths[source_] = 0;
}

#define GOSSAMER_SOLO_STEPS(Id)                                                                   \
  template std::int64_t cpu_solo<Id>::frontier_arcs() const;                                      \
  template typename cpu_solo<Id>::thin_levels cpu_solo<Id>::expand_thin(std::int32_t,             \
                                                                        std::vector<bfs_level>&); \
  template std::int64_t cpu_solo<Id>::expand_serial<true, false>(std::int32_t);                   \
  template std::int64_t cpu_solo<Id>::expand_serial<false, true>(std::int32_t);                   \
  template std::int64_t cpu_solo<Id>::expand_serial<false, false>(std::int32_t);                  \
  template std::int64_t cpu_solo<Id>::expand_parallel<true>(std::int32_t);                        \
  template std::int64_t cpu_solo<Id>::expand_parallel<false>(std::int32_t);                       \
  template void cpu_solo<Id>::scatter_frontier();                                                 \
  template void cpu_solo<Id>::gather_frontier();                                                  \
  template std::int64_t cpu_solo<Id>::scan(std::int32_t);                                         \
  template std::int64_t cpu_solo<Id>::unvisited_arcs() const;                                     \
  template void cpu_solo<Id>::settle();

GOSSAMER_SOLO_STEPS(vertex32)
GOSSAMER_SOLO_STEPS(vertex64)
#undef GOSSAMER_SOLO_STEPS

}  // namespace gossamer::bfs_detail
