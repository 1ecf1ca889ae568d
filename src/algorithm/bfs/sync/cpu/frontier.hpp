// How the threads of a rank share a frontier that lies in a queue: in pieces, whoever is free takes
// the next, because rows differ in length by orders of magnitude. And how long rows are looked at.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <span>

#include "algorithm/bfs/sync/cpu/bitmap.hpp"
#include "gossamer/placement/placed_graph.hpp"

namespace gossamer::bfs_detail {

template <class Id>
class shared_frontier {
 public:
  /// queue[first … last - 1]; the queue may grow behind it meanwhile.
  shared_frontier(const graph_slice<Id>& slice, const Id* queue, std::int64_t first,
                  std::int64_t last)
      : slice_(slice), queue_(queue), last_(last), next_(first) {}

  /// Calls f(u) for the vertices that fall to the calling thread. A row's bounds are fetched 16
  /// vertices ahead and its columns 8, so that neither access waits for the other.
  template <class F>
  void each(F f) {
    for (;;) {
      const std::int64_t first = next_.fetch_add(piece, std::memory_order_relaxed);
      if (first >= last_) return;
      const std::int64_t end = std::min(first + piece, last_);
      for (std::int64_t i = first; i < end; ++i) {
        if (i + 16 < last_) __builtin_prefetch(&slice_.offsets[queue_[i + 16]]);
        if (i + 8 < last_) __builtin_prefetch(&slice_.columns[slice_.offsets[queue_[i + 8]]]);
        f(queue_[i]);
      }
    }
  }

 private:
  static constexpr std::int64_t piece = 64;
  const graph_slice<Id>& slice_;
  const Id* queue_;
  std::int64_t last_;
  std::atomic<std::int64_t> next_;
};

constexpr std::int64_t long_row = 16;

/// Calls f(v) for the neighbours in a long row that are not marked. They are found first, and
/// nothing branches on it: whether a neighbour is new cannot be predicted. Nor does one wait for
/// what f writes, as it would when neighbours are near each other and f marks them in the same
/// word.
template <class Id, class F>
void each_unmarked(std::span<const Id> row, std::uint64_t* marks, const F& f) {
  constexpr std::size_t at_once = 128;
  Id found[at_once];
  while (!row.empty()) {
    const auto part = row.first(std::min(row.size(), at_once));
    std::int64_t count = 0;
    for (const Id v : part) {
      found[count] = v;
      count += !is_set(marks, v);
    }
    for (std::int64_t i = 0; i < count; ++i) f(found[i]);
    row = row.subspan(part.size());
  }
}

}  // namespace gossamer::bfs_detail
