// Allgather by recursive doubling (the papers' choice): in round j partners at distance 2^j
// exchange all they have, so the small messages travel first and a node mapping can keep conflicts
// there.
//
// For p not a power of two, positions from core(p) on give their block to position - core(p) before
// and get the rest from it after.
#include "collective/algorithm/algorithms.hpp"

namespace gossamer::algorithms {

void allgather_recursive_doubling(builder& b) {
  b.writes_remote_output();
  const int q = pattern::core(b.p), rounds = pattern::rounds(q), v = b.me;
  const int before = rounds, after = rounds + 1;  // signals of the surplus positions
  b.need_signals(rounds + 2);
  const buffer_place own = b.output(b.shape.begin(b.rank));
  const auto keep_own = [&] {
    if (!b.in_place()) b.copy(b.input(), own, b.shape.size(b.rank));
  };
  if (v >= q) {
    b.put(v - q, b.input(), own, b.shape.size(b.rank), before);
    keep_own();
    b.round(rounds + 1);
    return b.wait(after, v - q);
  }
  const bool has_surplus = v + q < b.p;
  if (has_surplus) b.wait(before, v + q);
  for (int j = 0; j < rounds; ++j) {
    const int peer = pattern::partner(v, j), first = pattern::group(v, j), end = first + (1 << j);
    b.round(j + 1);
    // The group's own blocks, and those that its surplus positions gave it.
    const int surplus_end = end + q < b.p ? end + q : b.p;
    if (first + q < surplus_end)
      b.put_blocks(peer, buffer_id::output, buffer_id::output, first + q, surplus_end, -1);
    if (j == 0) {
      // The own block leaves from the input, and is copied while it travels.
      b.put(peer, b.input(), own, b.shape.size(b.rank), j);
      keep_own();
    } else {
      b.put_blocks(peer, buffer_id::output, buffer_id::output, first, end, j);
    }
    b.wait(j, peer);
  }
  if (rounds == 0) keep_own();
  if (!has_surplus) return;
  b.round(rounds + 1);
  // All but its own block, which it holds and may still be sending.
  b.put_blocks(v + q, buffer_id::output, buffer_id::output, 0, v + q, -1);
  b.put_blocks(v + q, buffer_id::output, buffer_id::output, v + q + 1, b.p, after);
}

}  // namespace gossamer::algorithms
