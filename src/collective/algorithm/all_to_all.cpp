// All-to-all, with equal counts and with a count for every pair.
#include "collective/algorithm/algorithms.hpp"

#include <algorithm>

namespace gossamer::algorithms {

namespace {

/// Rounds 1 … p - 1: position v writes to v + k and hears from v - k. `paced`: a round begins when
/// the one before has ended here, so that each rank receives from one other at a time.
void exchange(builder& b, bool paced) {
  b.writes_remote_output();
  b.need_signals(b.p);
  const auto begins = b.shape.send_begins(b.rank), theirs = b.shape.begins_at_peers(b.rank);
  const auto size = [&](int r) {
    const auto i = static_cast<std::size_t>(r);
    return begins[i + 1] - begins[i];
  };
  const auto self = static_cast<std::size_t>(b.rank);
  const auto receive = [&](int k) {
    const int v = pattern::shifted(b.me, -k, b.p);
    b.wait(v, v);
  };
  for (int k = 1; k < b.p; ++k) {
    const int v = pattern::shifted(b.me, k, b.p), r = b.at(v);
    const auto i = static_cast<std::size_t>(r);
    b.round(paced ? k - 1 : 0);
    b.put(v, b.input(begins[i]), b.output(theirs[i]), size(r), b.me);
    if (paced) receive(k);
  }
  if (!b.in_place()) b.copy(b.input(begins[self]), b.output(theirs[self]), size(b.rank));
  for (int k = 1; k < b.p && !paced; ++k) receive(k);
}

}  // namespace

void all_to_all_direct(builder& b) {
  exchange(b, false);
}

void all_to_all_pairwise(builder& b) {
  exchange(b, true);
}

// Bruck et al.: what v has for v + i travels by the bits of i; ceil(log2 p) rounds of about p / 2
// blocks each. Each round receives into scratch of its own, from where later rounds send on, so
// nothing is packed or moved between rounds.
void all_to_all_bruck(builder& b) {
  const int last = pattern::rounds(b.p), v = b.me;
  const std::size_t n = b.count();
  const auto received = [&](int j) {  // number of i < p with bit j
    const int whole = b.p >> (j + 1) << j, rest = (b.p & ((2 << j) - 1)) - (1 << j);
    return static_cast<std::size_t>(whole) + static_cast<std::size_t>(std::max(rest, 0));
  };
  std::size_t base[32] = {};
  for (int j = 0; j < last; ++j) base[j + 1] = base[j] + received(j);
  // Where slot i lies after round j moved it: the i with bit j are numbered without gaps.
  const auto moved = [&](int i, int j) {
    const int number = (i >> (j + 1) << j) | (i & ((1 << j) - 1));
    return b.scratch(n * (base[j] + static_cast<std::size_t>(number)));
  };
  // Where slot i is when the bits `done` have been travelled.
  const auto location = [&](int i, int done) {
    const int bits = i & done;
    if (bits == 0) return b.input(b.shape.begin(b.at(pattern::shifted(v, i, b.p))));
    return moved(i, static_cast<int>(std::bit_width(static_cast<unsigned>(bits))) - 1);
  };
  b.need_signals(last);
  b.need_scratch(n * base[last]);
  for (int j = 0; j < last; ++j) {
    const int distance = 1 << j;
    b.round(j);
    const int to = pattern::shifted(v, distance, b.p);
    for (int i = distance; i < b.p;) {
      const buffer_place from = location(i, distance - 1), there = moved(i, j);
      std::size_t length = n;
      // The next slots with bit j, as long as they follow each other here and there.
      int next = i;
      do {
        ++next;
        if ((next & distance) == 0) next += distance;
        if (next >= b.p) break;
        if (location(next, distance - 1) != buffer_place{from.in, from.offset + length}) break;
        length += n;
      } while (true);
      b.put(to, from, there, length);
      i = next;
    }
    b.notify(to, j);
    b.wait(j, pattern::shifted(v, -distance, b.p));
  }
  b.release_input();
  for (int i = b.in_place() ? 1 : 0; i < b.p; ++i)
    b.copy(location(i, (1 << last) - 1),
           b.output(b.shape.begin(b.at(pattern::shifted(v, -i, b.p)))), n);
}

}  // namespace gossamer::algorithms
