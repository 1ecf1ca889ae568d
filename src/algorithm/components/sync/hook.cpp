// Hooking by a team of threads: a sample of each row's first arcs, then the rest but for the
// largest component found so far (Afforest's way).
#include "algorithm/components/sync/hook.hpp"

#include <algorithm>
#include <vector>

#include "gossamer/graph/union_find.hpp"
#include "gossamer/machine/executor.hpp"

namespace gossamer::components_detail {

namespace {

/// Calls work(v) for [first, last): pieces are handed out as threads ask, since rows differ.
template <class F>
void sweep(std::int64_t first, std::int64_t last, int threads, const F& work) {
  constexpr std::int64_t piece = 2048;
  for_pieces({threads}, last - first, piece, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t v = first + begin; v < first + end; ++v) work(v);
  });
}

}  // namespace

template <class Id>
void begin_labels(std::span<Id> labels, int threads) {
  const auto n = static_cast<std::int64_t>(labels.size());
  sweep(0, n, threads, [&](std::int64_t v) { labels[v] = static_cast<Id>(v); });
}

// Each vertex's label is its first neighbour, if that is smaller: nobody else writes it yet, so
// that it takes no atomic operation. Within a piece, whose labels one thread has made, it is that
// neighbour's label at once. So chains have one link a piece at most, where a road's had thousands.
template <class Id>
void begin_with_first_arcs(const own_rows<Id>& rows, std::span<Id> labels) {
  constexpr std::int64_t piece = std::int64_t{1} << 15;
  const Id* columns = rows.columns;
  for_pieces({rows.threads}, rows.last - rows.first, piece,
             [&](std::int64_t begin, std::int64_t end) {
               for (std::int64_t v = rows.first + begin; v < rows.first + end; ++v) {
                 Id label = static_cast<Id>(v);
                 if (const edge_offset k = rows.begin(v); k < rows.end(v))
                   if (const Id u = columns[k]; u < label)
                     label = u < rows.first + begin ? u : labels[u];
                 labels[v] = label;
               }
             });
}

// A row's first columns and their labels lie at random places, and a join waits for one after the
// other: they are fetched while other rows are joined.
template <class Id>
void sample_arcs(const own_rows<Id>& rows, std::int64_t arcs, std::span<Id> labels) {
  constexpr std::int64_t columns_ahead = 64, labels_ahead = 16;  // rows
  const Id* columns = rows.columns;
  begin_with_first_arcs(rows, labels);
  const auto end = [&](std::int64_t v) { return std::min(rows.begin(v) + arcs, rows.end(v)); };
  sweep(rows.first, rows.last, rows.threads, [&](std::int64_t v) {
    if (v + columns_ahead < rows.last) __builtin_prefetch(columns + rows.begin(v + columns_ahead));
    if (const std::int64_t w = v + labels_ahead; w < rows.last)
      for (edge_offset k = rows.begin(w); k < end(w); ++k) __builtin_prefetch(&labels[columns[k]]);
    edge_offset k = rows.begin(v);
    if (k < end(v) && columns[k] < v) ++k;  // joined before
    for (; k < end(v); ++k) join<Id>(labels.data(), static_cast<Id>(v), columns[k]);
    compress<Id>(labels.data(), static_cast<Id>(v));
  });
  compress_labels(labels, rows.threads);
}

template <class Id>
Id most_frequent(std::span<const Id> labels) {
  constexpr std::size_t samples = 1024;
  const std::size_t n = labels.size(), count = std::min(n, samples);
  std::vector<Id> drawn(count);
  for (std::size_t i = 0; i < count; ++i) drawn[i] = labels[n / count * i];
  std::sort(drawn.begin(), drawn.end());
  Id best = -1;
  std::size_t most = 0;
  for (std::size_t i = 0, j = 0; i < count; i = j) {
    while (j < count && drawn[j] == drawn[i]) ++j;
    if (j - i > most) {
      most = j - i;
      best = drawn[i];
    }
  }
  return best;
}

template <class Id>
void hook_rest(const own_rows<Id>& rows, std::int64_t sampled, Id skip, std::span<Id> labels) {
  const Id* columns = rows.columns;
  sweep(rows.first, rows.last, rows.threads, [&](std::int64_t v) {
    const Id own = std::atomic_ref(labels[v]).load(std::memory_order_relaxed);
    if (own == skip) return;
    for (edge_offset k = rows.begin(v) + sampled; k < rows.end(v); ++k)
      join<Id>(labels.data(), static_cast<Id>(v), columns[k]);
  });
}

template <class Id>
void hook_smaller(const own_rows<Id>& rows, std::span<Id> labels) {
  const Id* columns = rows.columns;
  sweep(rows.first, rows.last, rows.threads, [&](std::int64_t v) {
    const Id own = static_cast<Id>(v);
    for (edge_offset k = rows.begin(v); k < rows.end(v); ++k) {
      if (columns[k] >= own) continue;
      join<Id>(labels.data(), own, columns[k]);
      compress<Id>(labels.data(), own);
    }
  });
}

template <class Id>
void hook_edges(std::span<const edge<Id>> edges, std::span<Id> labels, int threads) {
  constexpr std::int64_t ahead = 16;
  const auto n = static_cast<std::int64_t>(edges.size());
  sweep(0, n, threads, [&](std::int64_t i) {
    if (i + ahead < n) {
      __builtin_prefetch(&labels[edges[i + ahead].u]);
      __builtin_prefetch(&labels[edges[i + ahead].v]);
    }
    join<Id>(labels.data(), edges[i].u, edges[i].v);
    compress<Id>(labels.data(), edges[i].u);
  });
}

template <class Id>
void merge_labels(std::span<const Id> found, std::int64_t first, std::span<Id> labels,
                  int threads) {
  sweep(0, static_cast<std::int64_t>(found.size()), threads, [&](std::int64_t i) {
    if (found[i] != first + i) join<Id>(labels.data(), static_cast<Id>(first + i), found[i]);
  });
}

template <class Id>
void compress_labels(std::span<Id> labels, int threads) {
  constexpr std::int64_t ahead = 16;
  const auto n = static_cast<std::int64_t>(labels.size());
  sweep(0, n, threads, [&](std::int64_t v) {
    if (v + ahead < n)
      __builtin_prefetch(
          &labels[std::atomic_ref(labels[v + ahead]).load(std::memory_order_relaxed)]);
    compress<Id>(labels.data(), static_cast<Id>(v));
  });
}

#define GOSSAMER_HOOK(Id)                                                            \
  template void begin_labels(std::span<Id>, int);                                    \
  template void sample_arcs(const own_rows<Id>&, std::int64_t, std::span<Id>);       \
  template Id most_frequent(std::span<const Id>);                                    \
  template void hook_smaller(const own_rows<Id>&, std::span<Id>);                    \
  template void hook_rest(const own_rows<Id>&, std::int64_t, Id, std::span<Id>);     \
  template void hook_edges(std::span<const edge<Id>>, std::span<Id>, int);           \
  template void merge_labels(std::span<const Id>, std::int64_t, std::span<Id>, int); \
  template void compress_labels(std::span<Id>, int);

GOSSAMER_HOOK(vertex32)
GOSSAMER_HOOK(vertex64)
#undef GOSSAMER_HOOK

}  // namespace gossamer::components_detail
