// Reduce-scatter by recursive halving: log2 p rounds, one vector's worth of bytes a rank.
//
// Position u < core(p) works for itself and for its surplus position u + core(p), which gives its
// whole vector before and gets its block after. From the first round on, sums lie in *core order*
// (block of u, block of u + core, block of u + 1, …), in which every half is one range.
#include "collective/algorithm/algorithms.hpp"

namespace gossamer::algorithms {

namespace {

struct core_order {
  const layout& shape;
  int p, q;

  /// Begin of core position u's pair of blocks.
  [[nodiscard]] std::size_t begin(int u) const {
    const int surplus = u + q < p ? u + q : p;
    return shape.packed(u) + shape.packed(surplus) - shape.packed(q);
  }
  [[nodiscard]] std::size_t size(int first, int n) const { return begin(first + n) - begin(first); }
  /// Where position v receives in the round of distance 2^j; j = -1: behind all rounds.
  [[nodiscard]] std::size_t slot(int v, int j) const {
    std::size_t at = 0;
    for (int i = pattern::rounds(q) - 1; i > j; --i) at += size(pattern::group(v, i), 1 << i);
    return at;
  }
  /// f(offset in order of rank, offset from begin(first), elements), neighbours merged.
  template <class F>
  void runs(int first, int n, F f) const {
    std::size_t from = 0, to = 0, length = 0;
    for (int u = first; u < first + n; ++u)
      for (const int v : {u, u + q}) {
        if (v >= p || shape.size(shape.rank_at(v)) == 0) continue;
        const int r = shape.rank_at(v);
        const std::size_t packed = begin(u) - begin(first) + (v == u ? 0 : own_size(u));
        if (length != 0 && from + length == shape.begin(r) && to + length == packed) {
          length += shape.size(r);
          continue;
        }
        if (length != 0) f(from, to, length);
        from = shape.begin(r);
        to = packed;
        length = shape.size(r);
      }
    if (length != 0) f(from, to, length);
  }
  [[nodiscard]] std::size_t own_size(int u) const { return shape.size(shape.rank_at(u)); }
};

}  // namespace

void reduce_scatter_recursive_halving(builder& b) {
  const int q = pattern::core(b.p), rounds = pattern::rounds(q), v = b.me;
  const core_order order{b.shape, b.p, q};
  const std::size_t own = b.shape.size(b.rank), total = b.shape.total();
  b.need_signals(rounds + 2);
  if (b.p == 1) {
    if (!b.in_place()) b.copy(b.input(), b.output(), own);
    return;
  }
  if (v >= q) {
    b.need_scratch(own);
    b.put(v - q, b.input(), b.scratch(order.slot(v - q, -1)), total, rounds);
    b.round(rounds + 1);
    b.wait(rounds + 1, v - q);
    b.release_input();
    return b.copy(b.scratch(), b.output(), own);
  }
  const bool has_surplus = v + q < b.p;
  const buffer_place whole = b.scratch(order.slot(v, -1));
  b.need_scratch(whole.offset + (has_surplus ? total : 0));
  buffer_place sums = b.input();
  if (has_surplus) {
    b.wait(rounds, v + q);
    b.reduce(b.input(), whole, whole, total);
    sums = whole;
  }
  for (int j = rounds - 1; j >= 0; --j) {
    const int peer = pattern::partner(v, j), n = 1 << j;
    const int kept = pattern::group(v, j), given = pattern::group(peer, j);
    const std::size_t there = order.slot(peer, j), here = order.slot(v, j);
    const bool first = j + 1 == rounds;
    // Sums of the round before lie in core order from its kept range's begin.
    const std::size_t base = first ? 0 : order.begin(pattern::group(v, j + 1));
    const auto fold = [&](std::size_t from, std::size_t to, std::size_t length) {
      const buffer_place mine{sums.in, sums.offset + from}, theirs = b.scratch(here + to);
      if (v < peer)
        b.reduce(mine, theirs, theirs, length);
      else
        b.reduce(theirs, mine, theirs, length);
    };
    b.round(rounds - j);
    if (first) {
      order.runs(given, n, [&](std::size_t from, std::size_t to, std::size_t length) {
        b.put(peer, {sums.in, sums.offset + from}, b.scratch(there + to), length);
      });
      b.notify(peer, j);
    } else {
      b.put(peer, {sums.in, sums.offset + order.begin(given) - base}, b.scratch(there),
            order.size(given, n), j);
    }
    b.wait(j, peer);
    if (first)
      order.runs(kept, n, fold);
    else
      fold(order.begin(kept) - base, 0, order.size(kept, n));
    sums = b.scratch(here);
  }
  b.round(rounds + 1);
  if (has_surplus)
    b.put(v + q, {sums.in, sums.offset + own}, b.scratch(), order.size(v, 1) - own, rounds + 1);
  b.copy(sums, b.output(), own);
}

}  // namespace gossamer::algorithms
