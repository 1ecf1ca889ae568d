// The bottom-up step of CPU engines: every unvisited vertex looks for a neighbour in the frontier.
//
// Most vertices of a skewed graph find theirs at a hub, so every vertex keeps one neighbour of high
// degree (`hub`): asking it first replaces a random access to the row (offsets, first columns: two
// cache misses) by one sequential read. Only vertices whose hub is not in the frontier scan their
// rows, from a list, so that rows can be fetched ahead.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "algorithm/bfs/cpu_arrays.hpp"
#include "algorithm/bfs/sync/cpu/bitmap.hpp"
#include "algorithm/driver/array_list.hpp"
#include "gossamer/machine/executor.hpp"
#include "gossamer/placement/placed_graph.hpp"

namespace gossamer::bfs_detail {

/// Vertices that a thread takes at a time, in words of 64.
constexpr std::int64_t words_per_piece = 64;

/// What a bottom-up step needs to know about the rows once for all sources.
template <class Id>
struct bottom_up_tables {
  shared_array<Id> hub;                  ///< [rows] an in-neighbour; -1 when the row is empty
  shared_array<std::uint64_t> unlinked;  ///< rows without in-arcs, and bits beyond the rows

  /// `goes_up`: there are bottom-up steps, else only `unlinked` is needed.
  void list(algorithm_detail::array_list& of, std::int64_t rows, bool goes_up) {
    if (goes_up) of.add(hub, words_of(rows) * 64);
    of.add(unlinked, words_of(rows));
  }
};

/// Whether there are bottom-up steps: asked for, and rows know who leads to them.
template <class Id>
bool may_go_up(const graph_slice<Id>& slice, const bfs_options& options) {
  return slice.in_offsets != nullptr && options.direction != bfs_direction::top_down;
}

/// Marks vertices of high degree in `is_hub`, a bitmap over placed ids.
void mark_hubs(const placed_graph& g, std::uint64_t* is_hub);

/// Fills `unlinked` alone: what top-down steps need.
template <class Id>
void prepare_unlinked(const graph_slice<Id>& slice, shared_array<std::uint64_t>& unlinked) {
  const std::int64_t rows = slice.rows, words = words_of(rows);
  std::fill(unlinked.begin(), unlinked.end(), 0);
  for (std::int64_t v = rows; v < words * 64; ++v) set_bit(unlinked.data(), v);
  if (slice.in_offsets == nullptr) return;
  for (std::int64_t v = 0; v < rows; ++v) {
    if (slice.in_offsets[v] == slice.in_offsets[v + 1]) set_bit(unlinked.data(), v);
  }
}

/// Fills both tables: costs about one bottom-up step whose frontier are the vertices of high
/// degree. `is_hub`: bitmap over placed ids.
template <class Id>
void prepare_bottom_up(const graph_slice<Id>& slice, const std::uint64_t* is_hub, int threads,
                       bottom_up_tables<Id>& out) {
  const std::int64_t rows = slice.rows, words = words_of(rows);
  const auto fill = [&](std::int64_t w) {
    std::uint64_t empty = 0;
    for (int b = 0; b < 64; ++b) {
      const std::int64_t v = w * 64 + b;
      if (v >= rows || slice.in_offsets[v] == slice.in_offsets[v + 1]) {
        empty |= std::uint64_t{1} << b;
        out.hub[v] = -1;
        continue;
      }
      const Id* row = slice.in_columns + slice.in_offsets[v];
      const Id* end = slice.in_columns + slice.in_offsets[v + 1];
      const Id* found = std::find_if(row, end, [&](Id u) { return test_bit(is_hub, u); });
      out.hub[v] = found != end ? *found : *row;
    }
    out.unlinked[w] = empty;
  };
  for_pieces({threads}, words, words_per_piece, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t w = first; w < last; ++w) fill(w);
  });
}

/// One level.
template <class Id>
class bottom_up_step {
 public:
  const graph_slice<Id>& slice;
  const bottom_up_tables<Id>& tables;
  const std::uint64_t* frontier;  ///< over placed ids
  std::uint64_t* visited;         ///< over rows; unlinked rows count as visited
  std::uint64_t* next;            ///< over rows; every word of the pieces given is written
  Id* parents;
  std::int32_t* depths;
  std::int32_t depth;  ///< of the vertices found

  /// All rows, on up to `threads` threads. Returns the number found.
  [[nodiscard]] std::int64_t all(int threads) const {
    const std::int64_t words = words_of(slice.rows);
    const std::int64_t pieces = (words + words_per_piece - 1) / words_per_piece;
    std::int64_t found = 0;
    static_cast<void>(threads);
#pragma omp parallel for schedule(dynamic, 1) reduction(+ : found) num_threads(threads) \
    if (threads > 1 && pieces > 4)
    for (std::int64_t p = 0; p < pieces; ++p)
      found += piece(p * words_per_piece, std::min(words, (p + 1) * words_per_piece));
    return found;
  }

 private:
  // Words [first, last), at most words_per_piece of them.
  [[nodiscard]] std::int64_t piece(std::int64_t first, std::int64_t last) const {
    Id pending[words_per_piece * 64 + 1];
    std::int64_t waiting = 0, found = 0;
    const Id* hub = tables.hub.data();
    for (std::int64_t w = first; w < last; ++w) {
      std::uint64_t hits = 0;
      each_bit(~visited[w], [&](int b) {
        const std::int64_t v = w * 64 + b;
        const Id h = hub[v];
        const std::uint64_t hit = test_bit(frontier, h) ? 1 : 0;
        hits |= hit << b;
        pending[waiting] = static_cast<Id>(v);
        waiting += 1 - static_cast<std::int64_t>(hit);
      });
      each_bit(hits, [&](int b) {
        parents[w * 64 + b] = hub[w * 64 + b];
        depths[w * 64 + b] = depth;
      });
      next[w] = hits;
      visited[w] |= hits;
      found += std::popcount(hits);
    }
    constexpr std::int64_t ahead = 8;
    for (std::int64_t i = 0; i < waiting; ++i) {
      if (i + ahead < waiting) {
        __builtin_prefetch(slice.in_columns + slice.in_offsets[pending[i + ahead]]);
      }
      const Id v = pending[i];
      const Id* row = slice.in_columns + slice.in_offsets[v];
      const Id* end = slice.in_columns + slice.in_offsets[v + 1];
      for (; row != end; ++row) {
        if (!test_bit(frontier, *row)) continue;
        parents[v] = *row;
        depths[v] = depth;
        set_bit(next, v);
        set_bit(visited, v);
        ++found;
        break;
      }
    }
    return found;
  }
};

}  // namespace gossamer::bfs_detail
