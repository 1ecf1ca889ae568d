// Broadcast as a binomial scatter of p blocks and a ring allgather of them (van de Geijn): about
// two vectors' worth of bytes a rank, whatever p; for long vectors.
#include "collective/algorithm/algorithms.hpp"

namespace gossamer::algorithms {

void broadcast_scatter_allgather(builder& b) {
  b.writes_remote_output();
  b.need_signals(b.p);
  const pattern::binomial tree{b.p};
  const int v = b.me, last = pattern::rounds(b.p) - 1;
  const auto mine = b.is_root() ? buffer_id::input : buffer_id::output;
  if (!b.is_root()) {
    b.round(last - tree.degree(v));
    b.wait(0, tree.parent(v));
  }
  for (int j = tree.degree(v) - 1; j >= 0; --j) {
    if (!tree.has_child(v, j)) continue;
    const int child = tree.child(v, j);
    b.round(last - j);
    b.put_blocks(child, mine, buffer_id::output, child, child + tree.extent(child), 0);
  }
  // In round k position v passes block v - k on. Nobody sends what the scatter already left at the
  // receiver: that would overwrite what it may still be sending.
  const auto has = [&](int position, int block) {
    return block >= position && block < position + tree.extent(position);
  };
  const int next = pattern::shifted(v, 1, b.p), before = pattern::shifted(v, -1, b.p);
  for (int k = 0; k + 1 < b.p; ++k) {
    b.round(last + 1 + k);
    const int sent = pattern::shifted(v, -k, b.p), got = pattern::shifted(before, -k, b.p);
    if (!has(next, sent)) b.put_blocks(next, mine, buffer_id::output, sent, sent + 1, k + 1);
    if (!has(v, got)) b.wait(k + 1, before);
  }
  if (b.is_root() && !b.in_place()) b.copy(b.input(), b.output(), b.count());
}

}  // namespace gossamer::algorithms
