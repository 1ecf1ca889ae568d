// Scatter and gather: the root's blocks one by one, or halves of them down and up a tree.
#include "collective/algorithm/algorithms.hpp"

namespace gossamer::algorithms {

// The root writes to each in turn, all in one chain.
void scatter_direct(builder& b) {
  b.writes_remote_output();
  b.need_signals(1);
  if (b.is_root()) {
    for (int v = 1; v < b.p; ++v)
      b.put(v, b.input(b.shape.begin(b.at(v))), b.output(), b.shape.size(b.at(v)), 0);
    if (!b.in_place()) b.copy(b.input(b.shape.begin(b.rank)), b.output(), b.shape.size(b.rank));
  } else {
    b.wait(0, 0);
  }
}

// Inner nodes receive their subtree's blocks in order of position and pass parts on; a leaf's
// block goes straight to its output. log2 p rounds, log2 p / 2 times the bytes.
void scatter_binomial(builder& b) {
  b.writes_remote_output();
  b.need_signals(1);
  const pattern::binomial tree{b.p};
  const int v = b.me, last = pattern::rounds(b.p) - 1, extent = tree.extent(v);
  const bool inner = !b.is_root() && extent > 1;
  if (inner) b.need_scratch(b.shape.packed(v + extent) - b.shape.packed(v));
  if (!b.is_root()) {
    b.round(last - tree.degree(v));
    b.wait(0, tree.parent(v));
  }
  for (int j = tree.degree(v) - 1; j >= 0; --j) {
    if (!tree.has_child(v, j)) continue;
    const int child = tree.child(v, j), end = child + tree.extent(child);
    const buffer_place to = end - child > 1 ? b.scratch() : b.output();
    b.round(last - j);
    if (b.is_root())
      b.put_packed(child, b.input(), to, child, end, 0);
    else
      b.put(child, b.scratch(b.shape.packed(child) - b.shape.packed(v)), to,
            b.shape.packed(end) - b.shape.packed(child), 0);
  }
  if (b.is_root()) {
    if (!b.in_place()) b.copy(b.input(b.shape.begin(b.rank)), b.output(), b.shape.size(b.rank));
  } else if (inner) {
    b.copy(b.scratch(), b.output(), b.shape.size(b.rank));
  }
}

// Each rank writes its block to the root.
void gather_direct(builder& b) {
  b.writes_remote_output();
  b.need_signals(b.p);
  const buffer_place mine = b.output(b.shape.begin(b.rank));
  if (!b.is_root()) return b.put(0, b.input(), mine, b.shape.size(b.rank), b.me);
  if (!b.in_place()) b.copy(b.input(), mine, b.shape.size(b.rank));
  for (int v = 1; v < b.p; ++v) b.wait(v, v);
}

// The mirror of scatter_binomial: subtrees are collected in order of position; below the root a
// node sends its own block straight from its input.
void gather_binomial(builder& b) {
  b.writes_remote_output();
  const pattern::binomial tree{b.p};
  const int v = b.me, extent = tree.extent(v);
  b.need_signals(pattern::rounds(b.p));
  if (!b.is_root()) b.need_scratch(b.shape.packed(v + extent) - b.shape.packed(v));
  if (b.is_root() && !b.in_place())
    b.copy(b.input(), b.output(b.shape.begin(b.rank)), b.shape.size(b.rank));
  for (int j = 0; j < tree.degree(v); ++j) {
    b.round(j);
    if (tree.has_child(v, j)) b.wait(j, tree.child(v, j));
  }
  if (b.is_root()) return;
  const int up = tree.parent(v), signal = tree.degree(v);
  const std::size_t own = b.shape.size(b.rank);
  b.round(signal);
  if (up == 0) {
    b.put(0, b.input(), b.output(b.shape.begin(b.rank)), own);
    b.put_unpacked(0, b.scratch(own), b.output(), v + 1, v + extent, signal);
  } else {
    const std::size_t to = b.shape.packed(v) - b.shape.packed(up);
    b.put(up, b.input(), b.scratch(to), own);
    b.put(up, b.scratch(own), b.scratch(to + own),
          b.shape.packed(v + extent) - b.shape.packed(v + 1));
    b.notify(up, signal);
  }
}

}  // namespace gossamer::algorithms
