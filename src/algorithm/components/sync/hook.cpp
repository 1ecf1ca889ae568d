// Hooking by a team of threads: a sample of each row's first arcs, then the rest but for the
// largest component found so far (Afforest's way).
#include "algorithm/components/sync/hook.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>
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

constexpr std::size_t marked_words = 64;  ///< of marked vertices, what a thread takes at a time
constexpr std::int64_t strip = std::int64_t{1} << 15;  ///< rows whose labels stay in a core's cache

/// Joins two vertices of a strip, whose labels one thread makes: no atomic operations, and vertices
/// on the way come nearer to the root (Rem's algorithm; Patwary, Blair, Manne, SEA 2010).
template <class Id>
void join_in_strip(Id* labels, Id u, Id v) {
  while (labels[u] != labels[v]) {
    if (labels[u] < labels[v]) std::swap(u, v);
    const Id up = std::exchange(labels[u], labels[v]);
    if (up == u) return;
    u = up;
  }
}

/// The arc at `k` if the row has one there, else its own vertex: a choice of what to load, which no
/// processor has to guess as it would a branch.
template <class Id>
Id neighbour_or(const own_rows<Id>& rows, edge_offset k, edge_offset end, const Id& own) {
  return *(k < end ? rows.columns + k : &own);
}

/// Joins vertices [first, last) along the first two arcs of each within the strip, those to larger
/// ones only if it has none to a smaller one. Then roots whose first arc leads below the strip take
/// that neighbour as label, as nobody else writes theirs yet; all vertices with such an arc are
/// marked in `below`.
template <class Id>
void join_strip(const own_rows<Id>& rows, std::int64_t first, std::int64_t last, Id* labels,
                std::uint64_t* below) {
  for (std::int64_t i = first; i < last; ++i) {
    const auto v = static_cast<Id>(i);
    const edge_offset begin = rows.begin(i), end = rows.end(i);
    const auto in_strip = [&](Id u, Id otherwise) { return u >= first && u < v ? u : otherwise; };
    const Id one = in_strip(neighbour_or(rows, begin, end, v), v);
    const Id two = in_strip(neighbour_or(rows, begin + 1, end, v), one);
    labels[v] = v;
    labels[v] = labels[two];
    if (labels[one] != labels[v]) join_in_strip(labels, one, two);
  }
  for (std::int64_t i = first; i < last; ++i) {
    const auto v = static_cast<Id>(i);
    if (labels[v] != v) continue;
    const edge_offset begin = rows.begin(i), end = std::min(begin + 2, rows.end(i));
    for (edge_offset k = begin; k < end; ++k)
      if (const Id u = rows.columns[k]; u > v && u < last) join_in_strip(labels, u, v);
  }
  for (std::int64_t w = first; w < last; w += 64) {
    std::uint64_t marks = 0;
    for (std::int64_t i = w; i < std::min(w + 64, last); ++i) {
      const auto v = static_cast<Id>(i);
      const Id u = neighbour_or(rows, rows.begin(i), rows.end(i), v);
      const Id root = labels[labels[v]];
      labels[v] = root == v && u < first ? u : root;
      marks |= static_cast<std::uint64_t>(u < first) << (i - w);
    }
    below[w / 64] = marks;
  }
}

/// Hooks the sampled arcs of some vertices that lead below their strip. Labels there lie at random
/// places, and a join waits for one after the other: they are fetched while others are joined.
template <class Id>
void join_below(const own_rows<Id>& rows, std::span<const Id> vertices, std::span<Id> labels) {
  constexpr std::size_t ahead = 16;
  const Id* columns = rows.columns;
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    if (i + 2 * ahead < vertices.size())
      __builtin_prefetch(columns + rows.begin(vertices[i + 2 * ahead]));
    if (i + ahead < vertices.size()) {
      const Id then = vertices[i + ahead];
      const edge_offset k = rows.begin(then);
      __builtin_prefetch(&labels[columns[k]]);
      if (k + 1 < rows.end(then)) __builtin_prefetch(&labels[columns[k + 1]]);
    }
    const Id v = vertices[i];
    const std::int64_t first = v / strip * strip;
    const edge_offset begin = rows.begin(v), end = std::min(begin + 2, rows.end(v));
    for (edge_offset k = begin; k < end && columns[k] < first; ++k)
      join<Id>(labels.data(), v, columns[k]);
  }
}

/// join_below() of the vertices that some words mark.
template <class Id>
void join_marked(const own_rows<Id>& rows, std::span<const std::uint64_t> below, std::int64_t first,
                 std::int64_t last, std::span<Id> labels) {
  std::array<Id, marked_words * 64> marked;
  std::size_t count = 0;
  for (std::int64_t w = first; w < last; ++w)
    for (std::uint64_t marks = below[w]; marks != 0; marks &= marks - 1)
      marked[count++] = static_cast<Id>(w * 64 + std::countr_zero(marks));
  join_below<Id>(rows, std::span(marked).first(count), labels);
}

}  // namespace

template <class Id>
void begin_labels(std::span<Id> labels, std::int64_t first, std::int64_t last, int threads) {
  sweep(first, last, threads, [&](std::int64_t v) { labels[v] = static_cast<Id>(v); });
}

// Rows of a strip first, by one thread: so chains have one link a strip at most, where a road's had
// thousands.
template <class Id>
void sample_arcs(const own_rows<Id>& rows, std::span<std::uint64_t> below, std::span<Id> labels) {
  for_pieces({rows.threads}, rows.last, strip, [&](std::int64_t first, std::int64_t last) {
    join_strip(rows, first, last, labels.data(), below.data());
  });
  const auto words = static_cast<std::int64_t>(below.size());
  for_pieces({rows.threads}, words, marked_words, [&](std::int64_t first, std::int64_t last) {
    join_marked(rows, below, first, last, labels);
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
void hook_rest(const own_rows<Id>& rows, Id skip, std::span<Id> labels) {
  const Id* columns = rows.columns;
  sweep(rows.first, rows.last, rows.threads, [&](std::int64_t v) {
    const auto label = [&](Id u) {
      return std::atomic_ref(labels[u]).load(std::memory_order_relaxed);
    };
    Id own = label(static_cast<Id>(v));
    if (own == skip) return;
    // Most neighbours have the root by now that the arcs before them have led to.
    for (edge_offset k = rows.begin(v); k < rows.end(v); ++k) {
      if (label(columns[k]) == own) continue;
      join<Id>(labels.data(), static_cast<Id>(v), columns[k]);
      compress<Id>(labels.data(), static_cast<Id>(v));
      own = label(static_cast<Id>(v));
    }
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
void compress_labels(std::span<Id> labels, std::int64_t first, std::int64_t last, int threads) {
  constexpr std::int64_t ahead = 16;
  sweep(first, last, threads, [&](std::int64_t v) {
    if (v + ahead < last)
      __builtin_prefetch(
          &labels[std::atomic_ref(labels[v + ahead]).load(std::memory_order_relaxed)]);
    compress<Id>(labels.data(), static_cast<Id>(v));
  });
}

#define GOSSAMER_HOOK(Id)                                                                  \
  template void begin_labels(std::span<Id>, std::int64_t, std::int64_t, int);              \
  template void sample_arcs(const own_rows<Id>&, std::span<std::uint64_t>, std::span<Id>); \
  template Id most_frequent(std::span<const Id>);                                          \
  template void hook_smaller(const own_rows<Id>&, std::span<Id>);                          \
  template void hook_rest(const own_rows<Id>&, Id, std::span<Id>);                         \
  template void hook_edges(std::span<const edge<Id>>, std::span<Id>, int);                 \
  template void merge_labels(std::span<const Id>, std::int64_t, std::span<Id>, int);       \
  template void compress_labels(std::span<Id>, std::int64_t, std::int64_t, int);

GOSSAMER_HOOK(vertex32)
GOSSAMER_HOOK(vertex64)
#undef GOSSAMER_HOOK

}  // namespace gossamer::components_detail
