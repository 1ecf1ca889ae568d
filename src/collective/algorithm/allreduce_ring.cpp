// Allreduce around a ring: p - 1 rounds that leave each rank one finished block, p - 1 rounds that
// pass the blocks on; 2 (p - 1) / p vectors out of each rank, all to the successor.
#include "collective/algorithm/algorithms.hpp"

namespace gossamer::algorithms {

void allreduce_ring(builder& b) {
  b.writes_remote_output();
  b.output_follows_all();
  const int p = b.p, v = b.me;
  b.need_signals(2 * (p - 1));
  if (p == 1) {
    if (!b.in_place()) b.copy(b.input(), b.output(), b.count());
    return;
  }
  const std::size_t slot = b.shape.largest();
  b.need_scratch(slot * static_cast<std::size_t>(p - 1));
  const int next = pattern::shifted(v, 1, p), before = pattern::shifted(v, -1, p);
  for (int k = 0; k + 1 < p; ++k) {
    const int sent = b.at(pattern::shifted(v, -k, p));
    const int got = b.at(pattern::shifted(before, -k, p));
    const buffer_place arrives = b.scratch(slot * static_cast<std::size_t>(k));
    const std::size_t from = b.shape.begin(sent), at = b.shape.begin(got);
    b.round(k);
    b.put(next, k == 0 ? b.input(from) : b.output(from), arrives, b.shape.size(sent), k);
    b.wait(k, before);
    b.reduce(arrives, b.input(at), b.output(at), b.shape.size(got));
  }
  for (int k = 0; k + 1 < p; ++k) {
    const int sent = b.at(pattern::shifted(next, -k, p));
    const buffer_place block = b.output(b.shape.begin(sent));
    b.round(p - 1 + k);
    b.put(next, block, block, b.shape.size(sent), p - 1 + k);
    b.wait(p - 1 + k, before);
  }
}

}  // namespace gossamer::algorithms
