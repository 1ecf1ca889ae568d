// Reduce to the root.
#include "collective/algorithm/algorithms.hpp"

namespace gossamer::algorithms {

// Everybody's vector is gathered at the root and folded there in order of rank by one kernel (the
// papers' variants: `direct` on the root's device, `direct_host` in host memory by the CPU, the
// result copied up).
void reduce_direct(builder& b) {
  b.need_signals(b.p);
  const std::size_t n = b.count();
  if (!b.is_root())
    return b.put(0, b.input(), b.scratch(n * static_cast<std::size_t>(b.rank)), n, b.me);
  b.need_scratch(n * static_cast<std::size_t>(b.p));
  for (int v = 1; v < b.p; ++v) b.wait(v, v);
  b.fold(b.scratch(), n, b.p, b.rank, b.input(), b.output(), n);
}

// Binomial tree: each node folds its own vector and its children's, in order of position, once all
// have come. ceil(log2 p) rounds.
void reduce_binomial(builder& b) {
  const pattern::binomial tree{b.p};
  const std::size_t n = b.count();
  b.need_signals(pattern::rounds(b.p));
  int children = 0;
  for (int j = 0; j < tree.degree(b.me); ++j) {
    b.round(j);
    if (!tree.has_child(b.me, j)) continue;
    b.wait(j, tree.child(b.me, j));
    ++children;
  }
  // Children are 0 … children - 1; slot 0 is the result on its way up, child j's slot is j + 1.
  if (children > 0) b.need_scratch(n * static_cast<std::size_t>(children + 1));
  const buffer_place result = b.is_root() ? b.output() : b.scratch();
  if (children > 0 || b.is_root()) b.fold(b.scratch(), n, children + 1, 0, b.input(), result, n);
  if (b.is_root()) return;
  const int j = tree.degree(b.me);
  b.round(j);
  b.put(tree.parent(b.me), children > 0 ? result : b.input(),
        b.scratch(n * static_cast<std::size_t>(j + 1)), n, j);
}

// Chain towards the root in `segments` pieces: every link carries the vector once.
void reduce_ring(builder& b) {
  const int pieces = b.segments();
  b.need_signals(pieces);
  b.need_scratch(b.me + 1 < b.p ? b.count() : 0);
  for (int i = 0; i < pieces; ++i) {
    const std::size_t begin = b.piece_begin(pieces, i), n = b.piece_begin(pieces, i + 1) - begin;
    b.round(i + b.p - 1 - b.me);
    const bool end = b.me + 1 == b.p;
    if (!end) {
      b.wait(i, b.me + 1);
      b.reduce(b.input(begin), b.scratch(begin), b.is_root() ? b.output(begin) : b.scratch(begin),
               n);
    } else if (b.is_root()) {
      b.copy(b.input(begin), b.output(begin), b.shape.request().in_place ? 0 : n);
    }
    if (!b.is_root())
      b.put(b.me - 1, end ? b.input(begin) : b.scratch(begin), b.scratch(begin), n, i);
  }
}

// Every rank folds one block, and the root gathers them: (p - 1) / p of the vector into each rank,
// and once more into the root.
void reduce_two_shot(builder& b) {
  b.writes_remote_output();
  b.output_follows_all();
  b.need_signals(2 * b.p);
  const std::size_t slot = b.shape.largest(), n = b.shape.size(b.rank);
  const std::size_t begin = b.shape.begin(b.rank);
  b.need_scratch(slot * static_cast<std::size_t>(b.p + 1));
  exchange_blocks(b, slot);
  const buffer_place block =
      b.is_root() ? b.output(begin) : b.scratch(slot * static_cast<std::size_t>(b.p));
  b.fold(b.scratch(), slot, b.p, b.rank, b.input(begin), block, n);
  b.round(1);
  if (!b.is_root()) return b.put(0, block, b.output(begin), n, b.p + b.me);
  for (int v = 1; v < b.p; ++v) b.wait(b.p + v, v);
}

}  // namespace gossamer::algorithms
