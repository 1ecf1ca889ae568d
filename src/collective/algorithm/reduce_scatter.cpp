// Reduce-scatter.
#include "collective/algorithm/algorithms.hpp"

namespace gossamer::algorithms {

void exchange_blocks(builder& b, std::size_t slot) {
  for (int i = 1; i < b.p; ++i) {
    const int v = pattern::shifted(b.me, i, b.p), r = b.at(v);
    const std::size_t n = b.shape.size(r);
    b.put(v, b.input(b.shape.begin(r)),
          b.scratch((slot == 0 ? n : slot) * static_cast<std::size_t>(b.rank)), n, b.me);
  }
  b.wait_for_all();
}

// Everybody pushes block r to rank r, which folds in order of rank: one hop.
void reduce_scatter_direct(builder& b) {
  b.need_signals(b.p);
  const std::size_t n = b.shape.size(b.rank);
  b.need_scratch(b.p > 1 ? n * static_cast<std::size_t>(b.p) : 0);
  exchange_blocks(b, 0);
  if (b.p > 1 || !b.in_place())
    b.fold(b.scratch(), n, b.p, b.rank, b.input(b.shape.begin(b.rank)), b.output(), n);
}

// Block r starts at r's successor and collects around the ring; sums are folded into the slot they
// arrived in.
void reduce_scatter_ring(builder& b) {
  const int p = b.p, v = b.me;
  b.need_signals(p - 1);
  if (p == 1) {
    if (!b.in_place()) b.copy(b.input(), b.output(), b.shape.size(b.rank));
    return;
  }
  const std::size_t slot = b.shape.largest();
  b.need_scratch(slot * static_cast<std::size_t>(p - 1));
  const int next = pattern::shifted(v, 1, p), before = pattern::shifted(v, -1, p);
  buffer_place sum;
  for (int k = 0; k + 1 < p; ++k) {
    const int sent = b.at(pattern::shifted(before, -k, p));
    const int got = b.at(pattern::shifted(pattern::shifted(before, -1, p), -k, p));
    const buffer_place arrives = b.scratch(slot * static_cast<std::size_t>(k));
    b.round(k);
    b.put(next, k == 0 ? b.input(b.shape.begin(sent)) : sum, arrives, b.shape.size(sent), k);
    b.wait(k, before);
    sum = k + 2 == p ? b.output() : arrives;
    b.reduce(arrives, b.input(b.shape.begin(got)), sum, b.shape.size(got));
  }
}

}  // namespace gossamer::algorithms
