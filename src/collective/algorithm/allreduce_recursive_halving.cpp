// Allreduce by recursive halving of the vector and doubling back (Rabenseifner): 2 log2 p rounds,
// two vectors' worth of bytes a rank. Surplus positions as in allreduce_exchange.cpp.
#include "collective/algorithm/algorithms.hpp"

namespace gossamer::algorithms {

void allreduce_recursive_halving(builder& b) {
  b.writes_remote_output();
  b.output_follows_all();
  const std::size_t n = b.count();
  const int q = pattern::core(b.p), rounds = pattern::rounds(q), v = b.me;
  const int before = 2 * rounds, after = 2 * rounds + 1;
  b.need_signals(2 * rounds + 2);
  if (b.p == 1) {
    if (!b.in_place()) b.copy(b.input(), b.output(), n);
    return;
  }
  const auto begin = [&](int block) { return pattern::split_begin(n, q, block); };
  // The half kept in the round of distance 2^j is at most 2^j blocks: slots of these sizes, then
  // room for a surplus vector.
  const std::size_t block = pattern::split_size(n, q, 0);
  const auto slot = [&](int j) { return b.scratch(block * ((std::size_t{1} << j) - 1)); };
  const buffer_place whole = slot(rounds);
  if (v >= q) {
    b.need_scratch(n);
    b.put(v - q, b.input(), whole, n, before);
    b.round(2 * rounds + 1);
    b.wait(after, v - q);
    return b.copy(b.scratch(), b.output(), n);
  }
  b.need_scratch(whole.offset + n);
  const bool has_surplus = v + q < b.p;
  auto sums = buffer_id::input;
  if (has_surplus) {
    b.wait(before, v + q);
    b.reduce(b.input(), whole, b.output(), n);
    sums = buffer_id::output;
  }
  for (int j = rounds - 1; j >= 0; --j) {
    const int peer = pattern::partner(v, j);
    const int kept = pattern::group(v, j), given = pattern::group(peer, j);
    const std::size_t at = begin(kept), length = begin(kept + (1 << j)) - at;
    const std::size_t out = begin(given);
    b.round(rounds - j);
    b.put(peer, {sums, out}, slot(j), begin(given + (1 << j)) - out, j);
    b.wait(j, peer);
    if (v < peer)
      b.reduce({sums, at}, slot(j), b.output(at), length);
    else
      b.reduce(slot(j), {sums, at}, b.output(at), length);
    sums = buffer_id::output;
  }
  for (int j = 0; j < rounds; ++j) {
    const int peer = pattern::partner(v, j), first = pattern::group(v, j);
    const buffer_place range = b.output(begin(first));
    b.round(rounds + 1 + j);
    b.put(peer, range, range, begin(first + (1 << j)) - begin(first), rounds + j);
    b.wait(rounds + j, peer);
  }
  b.round(2 * rounds + 1);
  if (has_surplus) b.put(v + q, b.output(), b.scratch(), n, after);
}

}  // namespace gossamer::algorithms
