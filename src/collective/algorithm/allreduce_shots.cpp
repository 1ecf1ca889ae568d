// Allreduce in one or two hops: fewest messages one after the other, most bytes.
#include "collective/algorithm/algorithms.hpp"

namespace gossamer::algorithms {

// Everybody pushes its vector to everybody and folds all of them in order of rank: one hop,
// p - 1 vectors into each rank.
void allreduce_one_shot(builder& b) {
  const std::size_t n = b.count();
  b.need_signals(b.p);
  b.need_scratch(b.p > 1 ? n * static_cast<std::size_t>(b.p) : 0);
  for (int i = 1; i < b.p; ++i)
    b.put(pattern::shifted(b.me, i, b.p), b.input(),
          b.scratch(n * static_cast<std::size_t>(b.rank)), n, b.me);
  b.wait_for_all();
  b.release_input();
  if (b.p > 1 || !b.in_place()) b.fold(b.scratch(), n, b.p, b.rank, b.input(), b.output(), n);
}

// Everybody folds one block, in order of rank, and pushes it to everybody: two hops, two vectors'
// worth of bytes into each rank, whatever p.
void allreduce_two_shot(builder& b) {
  b.writes_remote_output();
  b.output_follows_all();
  b.need_signals(2 * b.p);
  const std::size_t slot = b.shape.largest(), n = b.shape.size(b.rank);
  const std::size_t begin = b.shape.begin(b.rank);
  b.need_scratch(b.p > 1 ? slot * static_cast<std::size_t>(b.p) : 0);
  exchange_blocks(b, slot);
  if (b.p > 1 || !b.in_place())
    b.fold(b.scratch(), slot, b.p, b.rank, b.input(begin), b.output(begin), n);
  b.round(1);
  for (int i = 1; i < b.p; ++i)
    b.put(pattern::shifted(b.me, i, b.p), b.output(begin), b.output(begin), n, b.p + b.me);
  b.wait_for_all(b.p);
}

}  // namespace gossamer::algorithms
