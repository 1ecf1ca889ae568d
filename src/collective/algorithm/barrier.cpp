// Barriers: signals without data.
#include "collective/algorithm/algorithms.hpp"

namespace gossamer::algorithms {

// Everybody tells everybody: one hop.
void barrier_direct(builder& b) {
  b.need_signals(b.p);
  for (int i = 1; i < b.p; ++i) b.notify(pattern::shifted(b.me, i, b.p), b.me);
  b.wait_for_all();
}

// ceil(log2 p) rounds for any p (Hensgen, Finkel, Manber).
void barrier_dissemination(builder& b) {
  const pattern::dissemination ring{b.p};
  b.need_signals(pattern::rounds(b.p));
  for (int j = 0; j < pattern::rounds(b.p); ++j) {
    b.round(j);
    b.notify(ring.to(b.me, j), j);
    b.wait(j, ring.from(b.me, j));
  }
}

// Up a tree and down again: 2 ceil(log2 p) rounds, 2 (p - 1) signals in all.
void barrier_binomial(builder& b) {
  const pattern::binomial tree{b.p};
  const int rounds = pattern::rounds(b.p), degree = tree.degree(b.me);
  b.need_signals(rounds + 1);
  for (int j = 0; j < degree; ++j) {
    b.round(j);
    if (tree.has_child(b.me, j)) b.wait(j, tree.child(b.me, j));
  }
  if (b.me != 0) {
    b.round(degree);
    b.notify(tree.parent(b.me), degree);
    b.round(2 * rounds - 1 - degree);
    b.wait(rounds, tree.parent(b.me));
  }
  for (int j = degree - 1; j >= 0; --j) {
    b.round(2 * rounds - 1 - j);
    if (tree.has_child(b.me, j)) b.notify(tree.child(b.me, j), rounds);
  }
}

}  // namespace gossamer::algorithms
