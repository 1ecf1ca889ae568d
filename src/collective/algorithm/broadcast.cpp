// Broadcast of a whole vector: root to all, down a tree, or through a chain in pieces.
#include "collective/algorithm/algorithms.hpp"

namespace gossamer::algorithms {

namespace {

/// Where a rank sends from: the root its input, others what they received.
buffer_place source(const builder& b, std::size_t offset = 0) {
  return b.is_root() ? builder::input(offset) : builder::output(offset);
}

void keep_input(builder& b) {
  if (b.is_root() && !b.in_place()) b.copy(builder::input(), builder::output(), b.count());
}

}  // namespace

// The root writes to each in turn, one chain: p - 1 puts by one rank, one hop.
void broadcast_flat(builder& b) {
  b.writes_remote_output();
  b.need_signals(1);
  if (b.is_root())
    for (int v = 1; v < b.p; ++v) b.put(v, b.input(), b.output(), b.count(), 0);
  else
    b.wait(0, 0);
  keep_input(b);
}

// Binomial tree with distance halving; everything a rank sends follows what it received, so each
// sender starts one chain (papers' broadcast over chained DMA). ceil(log2 p) rounds.
void broadcast_binomial(builder& b) {
  b.writes_remote_output();
  b.need_signals(1);
  const pattern::binomial tree{b.p};
  const int last = pattern::rounds(b.p) - 1;
  if (!b.is_root()) {
    b.round(last - tree.degree(b.me));
    b.wait(0, tree.parent(b.me));
  }
  for (int j = tree.degree(b.me) - 1; j >= 0; --j) {
    if (!tree.has_child(b.me, j)) continue;
    b.round(last - j);
    b.put(tree.child(b.me, j), source(b), b.output(), b.count(), 0);
  }
  keep_input(b);
}

// Chain in `segments` pieces: each rank forwards a piece while the next one arrives, so every link
// carries the vector once. p - 2 + segments rounds.
void broadcast_ring(builder& b) {
  b.writes_remote_output();
  const int pieces = b.segments();
  b.need_signals(pieces);
  for (int i = 0; i < pieces; ++i) {
    const std::size_t begin = b.piece_begin(pieces, i), n = b.piece_begin(pieces, i + 1) - begin;
    b.round(i + b.me);
    if (!b.is_root()) b.wait(i, b.me - 1);
    if (b.me + 1 < b.p) b.put(b.me + 1, source(b, begin), b.output(begin), n, i);
  }
  keep_input(b);
}

}  // namespace gossamer::algorithms
