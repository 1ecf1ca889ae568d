// The loop over buckets of one CPU rank, with two ways to work one off: by the calling thread
// alone, or by an OpenMP team.
#include "algorithm/sssp/sync/solo.hpp"

#include <algorithm>
#include <array>
#include <atomic>

#include "algorithm/sssp/instances.hpp"
#include "gossamer/base/large_array.hpp"
#include "gossamer/fabric/trace.hpp"
#include "gossamer/machine/executor.hpp"

namespace gossamer::sssp_detail {

namespace {

constexpr double arcs_worth_threads = 16384;
constexpr std::size_t fused_at_most = 1000;
constexpr edge_offset short_row = 8;  // a road's: not worth a list of its own
constexpr std::int64_t few_entries = 8;
constexpr std::int64_t arcs_between_looks = std::int64_t{1} << 22;  // at the abort record

}  // namespace

template <class Id, class Distance>
solo_search<Id, Distance>::solo_search(const weighted_rows<Id, Distance>& rows, bucket_width width,
                                       double largest, int threads)
    : vertices_(rows.vertices),
      width_(width),
      longest_(longest<Distance>(largest)),
      threads_(std::max(1, threads)),
      arcs_(rows.offsets[rows.vertices]),
      mean_degree_(
          rows.vertices > 0 ? static_cast<double>(arcs_) / static_cast<double>(rows.vertices) : 0),
      rows_(rows, threads_) {
  if (rows_.reordered()) ordered_ = make_array<Distance>(static_cast<std::size_t>(vertices_));
  for (int t = 0; t < threads_; ++t) workers_.emplace_back(width);
}

template <class Id, class Distance>
std::int64_t solo_search<Id, Distance>::work_bytes(std::int64_t vertices, std::int64_t arcs,
                                                   bool skewed) {
  const std::int64_t ordered = skewed ? vertices * static_cast<std::int64_t>(sizeof(Distance)) : 0;
  return solo_rows<Id, Distance>::bytes(vertices, arcs, skewed) + ordered;
}

template <class Id, class Distance>
search_counts solo_search<Id, Distance>::run(rank& r, std::int64_t source, Distance* distances) {
  search_counts counts;
  distances_ = rows_.reordered() ? ordered_.data() : distances;
  source = rows_.place(source);
  std::fill_n(distances_, vertices_, unreached<Distance>);
  distances_[source] = 0;
  for (worker& w : workers_) {
    w.waiting.clear();
    w.taken = {};
  }
  workers_[0].waiting.push(0, static_cast<Id>(source));
  std::int64_t since_look = 0;
  for (std::int64_t bucket = 0; bucket >= 0;) {
    std::size_t waiting = 0;
    for (const worker& w : workers_) waiting += w.waiting.waiting();
    if (waiting <= few_entries / 2) bucket = work_few(bucket, counts);
    const std::int64_t entries = take(bucket);
    ++counts.rounds;
    if (threads_ > 1 && static_cast<double>(entries) * mean_degree_ > arcs_worth_threads)
      work_together(bucket, entries);
    else
      work_alone();
    std::int64_t next = -1;
    for (worker& w : workers_) {
      counts.relaxations += w.relaxations;
      since_look += w.relaxations;
      w.relaxations = 0;
      const std::int64_t mine = w.waiting.next(bucket);
      if (mine >= 0 && (next < 0 || mine < next)) next = mine;
    }
    bucket = next;
    if (since_look > arcs_between_looks) {
      since_look = 0;
      r.progress();
    }
  }
  if (rows_.reordered()) rows_.to_callers_order(ordered_.data(), distances);
  return counts;
}

/// Where all that waits is a few entries and rows are short, as on paths: the nearest entry first,
/// without buckets, each of which would hold one. Stops when there are more, and returns the first
/// bucket of what is left.
template <class Id, class Distance>
std::int64_t solo_search<Id, Distance>::work_few(std::int64_t bucket, search_counts& counts) {
  std::array<entry, few_entries + short_row> few;
  std::int64_t count = 0;
  for (worker& w : workers_) {
    for (std::int64_t at = bucket; (at = w.waiting.next(at)) >= 0;) {
      w.taken.clear();
      w.waiting.take(at, w.taken);
      for (std::size_t i = 0; i < w.taken.size(); ++i) few[count++] = w.taken[i];
    }
  }
  worker& me = workers_[0];
  while (count > 0 && count <= few_entries && me.relaxations < arcs_between_looks) {
    std::int64_t nearest = 0;
    for (std::int64_t i = 1; i < count; ++i)
      nearest = few[i].distance < few[nearest].distance ? i : nearest;
    const entry e = few[nearest];
    const std::int64_t its = width_.of(e.distance);
    counts.rounds += its != bucket;
    bucket = its;
    const edge_offset begin = rows_.offsets[e.vertex], end = rows_.offsets[e.vertex + 1];
    if (end - begin > short_row || e.distance > longest_) break;
    few[nearest] = few[--count];
    if (distances_[e.vertex] < e.distance) continue;
    me.relaxations += end - begin;
    for (edge_offset k = begin; k < end; ++k) {
      const auto [v, weight] = rows_.arcs[k];
      const Distance d = along<Distance>(e.distance, weight);
      if (!(d < distances_[v])) continue;
      distances_[v] = d;
      few[count++] = {d, v};
    }
  }
  for (std::int64_t i = 0; i < count; ++i) me.waiting.push(few[i].distance, few[i].vertex);
  return bucket;
}

/// Takes a bucket out of the queues; returns its number of entries.
template <class Id, class Distance>
std::int64_t solo_search<Id, Distance>::take(std::int64_t bucket) {
  std::int64_t entries = 0;
  for (worker& w : workers_) {
    w.taken.clear();
    w.waiting.take(bucket, w.taken);
    entries += static_cast<std::int64_t>(w.taken.size());
  }
  return entries;
}

template <class Id, class Distance>
template <bool Shared>
Distance solo_search<Id, Distance>::look(std::int64_t v) const {
  if constexpr (!Shared)
    return distances_[v];
  else
    return std::atomic_ref<Distance>(distances_[v]).load(std::memory_order_relaxed);
}

template <class Id, class Distance>
template <bool Shared>
bool solo_search<Id, Distance>::lower(std::int64_t v, Distance d) {
  if constexpr (!Shared) {
    const Distance seen = distances_[v];
    const bool lowers = d < seen;
    distances_[v] = lowers ? d : seen;  // no branch
    return lowers;
  } else {
    const std::atomic_ref<Distance> slot(distances_[v]);
    Distance seen = slot.load(std::memory_order_relaxed);
    while (d < seen)
      if (slot.compare_exchange_weak(seen, d, std::memory_order_relaxed)) return true;
    return false;
  }
}

template <class Id, class Distance>
template <bool Shared>
void solo_search<Id, Distance>::relax(worker& by, const entry& e) {
  if (look<Shared>(e.vertex) < e.distance) return;
  const edge_offset begin = rows_.offsets[e.vertex], end = rows_.offsets[e.vertex + 1];
  by.relaxations += end - begin;
  if (e.distance > longest_) return relax_far<Shared>(by, e);
  if (end - begin <= short_row) {
    for (edge_offset k = begin; k < end; ++k) {
      const auto [v, weight] = rows_.arcs[k];
      const Distance d = along<Distance>(e.distance, weight);
      by.waiting.push_if(lower<Shared>(v, d), d, v);
    }
    return;
  }
  // Whether an arc shortens a distance cannot be predicted, so nothing branches on it: it is always
  // written to the list of those that do, which grows only when it does. Then the loads of
  // distances, which are scattered, overlap.
  constexpr edge_offset piece = 128;
  entry found[piece + 1];
  for (edge_offset first = begin; first < end; first += piece) {
    const edge_offset last = std::min(end, first + piece);
    std::int64_t count = 0;
    for (edge_offset k = first; k < last; ++k) {
      const auto [v, weight] = rows_.arcs[k];
      const Distance d = along<Distance>(e.distance, weight);
      found[count] = {d, v};
      count += d < look<Shared>(v);
    }
    for (std::int64_t i = 0; i < count; ++i)
      if (lower<Shared>(found[i].vertex, found[i].distance))
        by.waiting.push(found[i].distance, found[i].vertex);
  }
}

/// The same near the end of the type: sums that do not fit are left out (the driver looks for
/// vertices that were missed).
template <class Id, class Distance>
template <bool Shared>
void solo_search<Id, Distance>::relax_far(worker& by, const entry& e) {
  for (edge_offset k = rows_.offsets[e.vertex]; k < rows_.offsets[e.vertex + 1]; ++k) {
    const auto [v, weight] = rows_.arcs[k];
    if (static_cast<double>(e.distance) + static_cast<double>(weight) >=
        static_cast<double>(unreached<Distance>))
      continue;
    const Distance d = along<Distance>(e.distance, weight);
    if (lower<Shared>(v, d)) by.waiting.push(d, v);
  }
}

template <class Id, class Distance>
void solo_search<Id, Distance>::work_on(worker& by, const entry* first, const entry* last,
                                        bool shared) {
  for (const entry* e = first; e < last; ++e) {
    // Rows begin anywhere: offsets are fetched ahead, and what they point to once they are here.
    // Three lines of a row: caches fetch on by themselves only once it is read.
    if (e + 16 < last) {
      rows_.offsets.fetch_ahead(e[16].vertex);
      __builtin_prefetch(&distances_[e[16].vertex]);
    }
    if (e + 8 < last) {
      constexpr auto arcs_of_line = static_cast<edge_offset>(64 / sizeof(rows_.arcs[0]));
      const auto begin = rows_.offsets[e[8].vertex];
      for (edge_offset line = 0; line < 3; ++line)
        __builtin_prefetch(&rows_.arcs[std::min(begin + line * arcs_of_line, arcs_ - 1)]);
    }
    if (shared)
      relax<true>(by, *e);
    else
      relax<false>(by, *e);
  }
}

template <class Id, class Distance>
void solo_search<Id, Distance>::work_alone() {
  for (worker& w : workers_)
    work_on(workers_[0], w.taken.data(), w.taken.data() + w.taken.size(), false);
}

template <class Id, class Distance>
void solo_search<Id, Distance>::work_together(std::int64_t bucket, std::int64_t entries) {
  constexpr std::int64_t piece = 64;
  std::atomic<std::int64_t> next{0};
  for_each(cpu_team{threads_}, threads_, [&](std::int64_t t) {
    worker& me = workers_[static_cast<std::size_t>(t)];
    for (;;) {
      const std::int64_t from = next.fetch_add(piece, std::memory_order_relaxed);
      if (from >= entries) break;
      // The piece may lie across the ends of several threads' lists.
      std::int64_t before = 0, to = std::min(entries, from + piece);
      for (const worker& w : workers_) {
        const auto size = static_cast<std::int64_t>(w.taken.size());
        const std::int64_t lo = std::max<std::int64_t>(from - before, 0);
        const std::int64_t hi = std::min(to - before, size);
        if (lo < hi) work_on(me, w.taken.data() + lo, w.taken.data() + hi, true);
        before += size;
      }
    }
    list mine;
    for (std::size_t found = me.waiting.size(bucket); found > 0 && found < fused_at_most;
         found = me.waiting.size(bucket)) {
      mine.clear();
      me.waiting.take(bucket, mine);
      work_on(me, mine.data(), mine.data() + mine.size(), true);
    }
  });
}

GOSSAMER_SSSP_CLASS(class solo_search)

}  // namespace gossamer::sssp_detail
