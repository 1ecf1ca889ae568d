// How much memory a worklist on a GPU takes, by purpose.
#pragma once

#include <algorithm>
#include <bit>
#include <vector>

#include "gossamer/dataflow/worklist/cuda/view.hpp"

namespace gossamer::dataflow::cuda {

/// What the lists' sizes depend on; the same on all ranks.
struct list_sizes {
  std::vector<std::int64_t> first;  ///< [ranks + 1] row ranges
  int self;
  std::int64_t arcs;
  int value_bytes, message_bytes, arc_bytes;
  bool sums;
  bool cuts = false;          ///< several ranks may look back at each other's values (pull.cuh)
  bool values_apart = false;  ///< values lie where each run says
  int by_way_of = -1;  ///< what goes to others goes to this rank first; -1: straight to its owner

  [[nodiscard]] int ranks() const { return static_cast<int>(first.size()) - 1; }
  [[nodiscard]] std::int64_t rows_of(int r) const {
    return first[static_cast<std::size_t>(r) + 1] - first[static_cast<std::size_t>(r)];
  }
  [[nodiscard]] std::int64_t rows() const { return rows_of(self); }
  [[nodiscard]] std::int64_t vertices() const { return first.back(); }
  /// Places in the list for rank r: every vertex once, and those that are put aside again while a
  /// round still sends them.
  [[nodiscard]] std::int64_t out_slots(int r) const {
    if (r == self || ranks() == 1 || (by_way_of >= 0 && r != by_way_of)) return 0;
    const std::int64_t most = by_way_of >= 0 ? vertices() - rows() : rows_of(r);
    return static_cast<std::int64_t>(std::bit_ceil(2 * static_cast<std::uint64_t>(most) | 1));
  }
  /// Messages of a ring: what GPUs send in some microseconds, or all that there can be if fewer.
  /// Ranks in step send much at a time, and nothing else meanwhile.
  [[nodiscard]] std::int64_t places() const {
    const std::int64_t most = std::int64_t{1} << (cuts ? 20 : 18);
    std::int64_t rows = 64;
    for (int r = 0; r < ranks(); ++r) rows = std::max(rows, rows_of(r));
    return std::min(most,
                    static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(rows))));
  }
  [[nodiscard]] std::int64_t ring_words() const { return places() * (message_bytes == 4 ? 2 : 4); }
  [[nodiscard]] std::int64_t window_words() const {
    return ranks() == 1 ? 0 : ranks() * (ring_words() + count_words + 2 * report_words);
  }
  /// Behind those, where GPUs address each other: values of all vertices.
  [[nodiscard]] std::int64_t settled_words() const {
    return ranks() == 1 || !cuts ? 0 : (vertices() * value_bytes + 7) / 8;
  }
};

inline std::int64_t in_blocks(std::int64_t bytes) {
  return (bytes + 255) / 256 * 256;
}
inline std::int64_t mark_words(std::int64_t bits) {
  return (bits + 31) / 32;
}
/// Where values, lists and marks lie in their block: list_buffers (buffers.hpp).
struct list_places {
  std::int64_t values, queues, piles, marks, sums, state, totals, out;
  std::int64_t bytes = 0;  ///< of all

  explicit list_places(const list_sizes& s) {
    const std::int64_t own = s.rows();
    std::int64_t to_others = 0;
    for (int r = 0; r < s.ranks(); ++r) to_others += s.out_slots(r);
    values = add(s.values_apart ? 0 : s.vertices() * s.value_bytes);
    queues = add(2 * own * 8);
    piles = add(2 * own * 4);
    marks = add((4 * mark_words(own) + mark_words(s.vertices())) * 4);
    sums = add(sizeof(list_sums));
    state = add(sizeof(list_state));
    totals = add(sizeof(list_totals));
    out = add(to_others * 4);
  }

 private:
  std::int64_t add(std::int64_t more) {
    const std::int64_t at = bytes;
    bytes += in_blocks(more);
    return at;
  }
};

/// Bytes of a rank's GPU, as buffers take them. Windows are not among them unless all GPUs address
/// each other's memory (`direct`): else they lie in host memory.
struct list_bytes {
  std::int64_t work = 0, windows = 0;
  explicit list_bytes(const list_sizes& s, bool direct = true)
      : work(list_places(s).bytes + in_blocks(8) + in_blocks(detector_bytes) +
             (s.sums ? in_blocks(s.rows() * s.value_bytes) : 0)),
        windows(in_blocks((s.window_words() + (direct ? s.settled_words() : 0)) * 8)) {}
};

}  // namespace gossamer::dataflow::cuda
