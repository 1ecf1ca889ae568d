// Allreduce of whole vectors in log2 p rounds: for short vectors.
#include "collective/algorithm/algorithms.hpp"

namespace gossamer::algorithms {

namespace {

/// Rounds over core(p) positions, in which everybody sends what it has so far to `to` and folds
/// what comes from `from`. Slot j of scratch receives round j's vector and then holds the sum, so
/// that nothing is overwritten while it may still be being sent. Surplus positions give their
/// vector before (slot `rounds`) and get the result after.
template <class To, class From, class OwnFirst>
void exchange(builder& b, To to, From from, OwnFirst own_first) {
  const std::size_t n = b.count();
  const int q = pattern::core(b.p), rounds = pattern::rounds(q), v = b.me;
  const auto slot = [&](int j) { return b.scratch(n * static_cast<std::size_t>(j)); };
  b.need_signals(rounds + 2);
  if (v >= q) {
    b.need_scratch(n);
    b.put(v - q, b.input(), slot(rounds), n, rounds);
    b.round(rounds + 1);
    b.wait(rounds + 1, v - q);
    return b.copy(slot(0), b.output(), n);
  }
  if (b.p == 1) {
    if (!b.in_place()) b.copy(b.input(), b.output(), n);
    return;
  }
  const bool has_surplus = v + q < b.p;
  b.need_scratch(n * static_cast<std::size_t>(rounds + 1));
  buffer_place sum = b.input();
  if (has_surplus) {
    b.wait(rounds, v + q);
    b.reduce(b.input(), slot(rounds), slot(rounds), n);
    sum = slot(rounds);
  }
  for (int j = 0; j < rounds; ++j) {
    b.round(j + 1);
    b.put(to(v, j), sum, slot(j), n, j);
    b.wait(j, from(v, j));
    const bool last = j + 1 == rounds;
    if (last) b.release_input();
    const buffer_place next = last ? b.output() : slot(j);
    if (own_first(v, j))
      b.reduce(sum, slot(j), next, n);
    else
      b.reduce(slot(j), sum, next, n);
    sum = next;
  }
  b.round(rounds + 1);
  if (has_surplus) b.put(v + q, sum, slot(0), n, rounds + 1);
}

}  // namespace

// Partners exchange and both fold lower ⊕ upper, so all ranks get the same bits.
void allreduce_recursive_doubling(builder& b) {
  const auto partner = [](int v, int j) { return pattern::partner(v, j); };
  exchange(b, partner, partner, [](int v, int j) { return (v >> j & 1) == 0; });
}

// Round j tells the position 2^j further (the papers' choice for scalars): sums are folded in
// rotated order, so on floats ranks may differ in the last bits.
void allreduce_dissemination(builder& b) {
  const pattern::dissemination ring{pattern::core(b.p)};
  exchange(
      b, [&](int v, int j) { return ring.to(v, j); }, [&](int v, int j) { return ring.from(v, j); },
      [](int, int) { return false; });
}

// Dissemination of the vectors themselves (Bruck's allgather), folded once in order of position at
// the end: same number of rounds for any p, the same bits everywhere, p vectors into each rank.
void allreduce_bruck(builder& b) {
  const std::size_t n = b.count();
  const int last = pattern::rounds(b.p), v = b.me;
  b.need_signals(last);
  if (b.p == 1) {
    if (!b.in_place()) b.copy(b.input(), b.output(), n);
    return;
  }
  // Slot 0 holds the sum of the positions before v, slot i + 1 the vector of position v + i.
  b.need_scratch(n * static_cast<std::size_t>(b.p + 1));
  const auto vector = [&](int i) { return b.scratch(n * static_cast<std::size_t>(i + 1)); };
  b.copy(b.input(), vector(0), n);
  for (int j = 0; j < last; ++j) {
    const int have = 1 << j, sent = have < b.p - have ? have : b.p - have;
    b.round(j);
    b.put(pattern::shifted(v, -have, b.p), vector(0), vector(have),
          n * static_cast<std::size_t>(sent), j);
    b.wait(j, pattern::shifted(v, have, b.p));
  }
  if (v == 0) return b.fold(vector(0), n, b.p, -1, {}, b.output(), n);
  b.fold(vector(b.p - v), n, v, -1, {}, b.scratch(), n);
  b.fold(b.scratch(), n, b.p - v + 1, -1, {}, b.output(), n);
}

}  // namespace gossamer::algorithms
