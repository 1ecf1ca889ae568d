// Allgather: everybody to everybody, around a ring, or in log2 p rounds for any p.
#include "collective/algorithm/algorithms.hpp"

namespace gossamer::algorithms {

namespace {
void keep_own(builder& b) {
  if (!b.in_place()) b.copy(b.input(), b.output(b.shape.begin(b.rank)), b.shape.size(b.rank));
}
}  // namespace

// One hop: p - 1 puts in one chain, targets staggered so that no rank is everybody's first.
void allgather_direct(builder& b) {
  b.writes_remote_output();
  b.need_signals(b.p);
  for (int i = 1; i < b.p; ++i)
    b.put(pattern::shifted(b.me, i, b.p), b.input(), b.output(b.shape.begin(b.rank)),
          b.shape.size(b.rank), b.me);
  keep_own(b);
  b.wait_for_all();
}

// p - 1 rounds, each rank only ever writes to its successor.
void allgather_ring(builder& b) {
  b.writes_remote_output();
  b.need_signals(b.p - 1);
  const int next = pattern::shifted(b.me, 1, b.p), before = pattern::shifted(b.me, -1, b.p);
  keep_own(b);
  for (int k = 0; k + 1 < b.p; ++k) {
    const int r = b.at(pattern::shifted(b.me, -k, b.p));
    const buffer_place block = b.output(b.shape.begin(r));
    b.round(k);
    b.put(next, k == 0 ? b.input() : block, block, b.shape.size(r), k);
    b.wait(k, before);
  }
}

// The ring in host memory, copied up block by block while the next one travels: MVAPICH2's
// pipelined allgather of GPU buffers. The first block leaves its device, the last goes straight
// into one.
void allgather_ring_host(builder& b) {
  b.writes_remote_output();
  b.need_signals(b.p - 1);
  b.need_scratch(b.p > 1 ? b.shape.total() : 0);
  const int next = pattern::shifted(b.me, 1, b.p), before = pattern::shifted(b.me, -1, b.p);
  const int last = b.p - 2;  // number of the last message
  const auto block = [&](int k) { return b.shape.begin(b.at(pattern::shifted(b.me, -k, b.p))); };
  const auto size = [&](int k) { return b.shape.size(b.at(pattern::shifted(b.me, -k, b.p))); };
  const auto target = [&](int k) {
    return k == last && b.p > 2 ? b.output(block(k)) : b.scratch(block(k));
  };
  keep_own(b);
  for (int k = 0; k < b.p - 1; ++k) {
    b.round(k);
    b.put(next, k == 0 ? b.input() : b.scratch(block(k)), target(k), size(k), k);
    if (k > 0) b.copy(b.scratch(block(k)), b.output(block(k)), size(k));
    b.wait(k, before);
  }
  if (b.p == 2) b.copy(b.scratch(block(1)), b.output(block(1)), size(1));
}

// Bruck et al.: position v collects the blocks of v, v + 1, … in this order, doubling what it has
// each round; ceil(log2 p) rounds for any p, and one local copy at the end.
void allgather_bruck(builder& b) {
  const int last = pattern::rounds(b.p);
  b.need_signals(last);
  b.need_scratch(b.p > 1 ? b.shape.total() : 0);
  if (b.p == 1) return keep_own(b);
  b.copy(b.input(), b.scratch(), b.shape.size(b.rank));
  for (int j = 0; j < last; ++j) {
    const int have = 1 << j, sent = have < b.p - have ? have : b.p - have;
    const int to = pattern::shifted(b.me, -have, b.p), from = pattern::shifted(b.me, have, b.p);
    b.round(j);
    b.put(to, b.scratch(), b.scratch(b.shape.packed_around(to, have)),
          b.shape.packed_around(b.me, sent), j);
    b.wait(j, from);
  }
  // Back to order of rank: runs of blocks that are neighbours in both orders.
  for (int i = 0; i < b.p;) {
    const int first = b.at(pattern::shifted(b.me, i, b.p));
    int n = 1;
    while (i + n < b.p && b.at(pattern::shifted(b.me, i + n, b.p)) == first + n) ++n;
    const int skip = b.in_place() && i == 0 ? 1 : 0;  // the own block is where it belongs
    const std::size_t begin = b.shape.begin(first + skip);
    b.copy(b.scratch(b.shape.packed_around(b.me, i + skip)), b.output(begin),
           b.shape.begin(first + n) - begin);
    i += n;
  }
}

}  // namespace gossamer::algorithms
