// Collectives of long vectors in which every rank works for the others on a share of every piece of
// the vector: relays it to the rest (broadcast), or sums it up for the root (reduce) or for all
// (allreduce).
//
// Broadcast and reduce: every rank sends one vector and receives one, which is the least where the
// links of all ranks are equal, in two hops where a chain has p - 1. Allreduce: two vectors less
// 2 / p, as any. Pieces overlap the hops, and sums with transfers; each is a lane. A piece costs
// about as much beside its bytes as 1 MiB takes (a fence and a signal of a GPU's blocks, some 3
// us), so the best number of pieces is about the root of the vector's length in MiB. Where the root
// has to sum up the last pieces of all lanes, which nothing overlaps, these should be short (4
// MiB). For few ranks: each talks to all others once a piece.
#include <algorithm>
#include <cmath>

#include "collective/algorithm/algorithms.hpp"

namespace gossamer::algorithms {

namespace {

class shares {
 public:
  /// Of positions `first` (0 or 1) to p - 1. `tail`: work on the last pieces remains at the end.
  shares(const builder& b, int first, bool tail = false)
      : n_(b.count()), p_(b.p), first_(first), owners_(std::max(1, b.p - first)) {
    const auto& q = b.shape.request();
    const auto megabytes = static_cast<double>(q.count * q.element) / (1 << 20);
    const double best = std::max(std::sqrt(megabytes), tail ? megabytes / 4 : 0);
    const int wanted = q.segments > 0 ? q.segments : static_cast<int>(best);
    // Few messages, and no share without an element unless the vector has fewer than owners.
    const auto full =
        static_cast<int>(std::min<std::size_t>(n_ / static_cast<std::size_t>(owners_), 1 << 10));
    pieces_ = std::clamp(wanted, 1, std::clamp(std::min(full, 1024 / p_), 1, 64));
  }
  [[nodiscard]] int pieces() const { return pieces_; }
  [[nodiscard]] std::size_t begin(int piece) const {
    return pattern::split_begin(n_, pieces_, piece);
  }
  [[nodiscard]] std::size_t size(int piece) const {
    return pattern::split_size(n_, pieces_, piece);
  }
  // Of position v in a piece.
  [[nodiscard]] std::size_t begin(int piece, int v) const {
    return begin(piece) + pattern::split_begin(size(piece), owners_, v - first_);
  }
  [[nodiscard]] std::size_t size(int piece, int v) const {
    return pattern::split_size(size(piece), owners_, v - first_);
  }
  /// An upper bound of all shares.
  [[nodiscard]] std::size_t largest() const {
    const auto cut = [](std::size_t n, int parts) {
      const auto d = static_cast<std::size_t>(parts);
      return (n + d - 1) / d;
    };
    return cut(cut(n_, pieces_), owners_);
  }
  /// Raised by position `from`: its share of a piece; `second`: when it was summed up.
  [[nodiscard]] int signal(int piece, int from, bool second = false) const {
    return ((second ? pieces_ : 0) + piece) * p_ + from;
  }
  /// Scratch for what others send of one's own share: a slot a position, for the own one the sum.
  [[nodiscard]] std::size_t scratch() const {
    return static_cast<std::size_t>(pieces_) * static_cast<std::size_t>(owners_) * largest();
  }
  [[nodiscard]] place slot(int piece, int v) const {
    return builder::scratch((static_cast<std::size_t>(piece) * static_cast<std::size_t>(owners_) +
                             static_cast<std::size_t>(v - first_)) *
                            largest());
  }

 private:
  std::size_t n_;
  int p_, first_, owners_, pieces_ = 1;
};

/// Calls f(w) for all positions from `first` on but the own one, the next first.
template <class F>
void each_other(const builder& b, int first, F f) {
  for (int k = 1; k < b.p - first; ++k) f(first + (b.me - first + k) % (b.p - first));
}

/// Sends everybody what it needs of one's own input for its share.
void send_operands(builder& b, const shares& part, int piece, int first) {
  each_other(b, first, [&](int w) {
    if (part.size(piece, w) != 0 || first == 0)
      b.put(w, b.input(part.begin(piece, w)), part.slot(piece, b.me), part.size(piece, w));
  });
  each_other(b, first, [&](int w) {
    if (part.size(piece, w) != 0 || first == 0) b.notify(w, part.signal(piece, b.me));
  });
}

}  // namespace

void broadcast_relay(builder& b) {
  b.writes_remote_output();
  const shares part(b, 1);
  b.need_signals(part.pieces() * b.p);
  const auto has = [&](int piece, int v) { return part.size(piece, v) != 0; };
  for (int i = 0; i < part.pieces(); ++i) {
    b.round(i);
    b.lane(i);
    if (b.is_root()) {
      for (int v = 1; v < b.p; ++v)
        b.put(v, b.input(part.begin(i, v)), b.output(part.begin(i, v)), part.size(i, v));
      for (int v = 1; v < b.p; ++v)
        if (has(i, v)) b.notify(v, part.signal(i, 0));
    } else if (has(i, b.me)) {
      b.wait(part.signal(i, 0), 0);
      b.round(i + 1);
      const place mine = b.output(part.begin(i, b.me));
      each_other(b, 1, [&](int w) { b.put(w, mine, mine, part.size(i, b.me)); });
      each_other(b, 1, [&](int w) { b.notify(w, part.signal(i, b.me)); });
    }
  }
  for (int i = 0; i < part.pieces(); ++i) {
    b.round(i + 1);
    b.lane(i);
    if (b.is_root()) {
      if (!b.in_place()) b.copy(b.input(part.begin(i)), b.output(part.begin(i)), part.size(i));
      continue;
    }
    each_other(b, 1, [&](int w) {
      if (has(i, w)) b.wait(part.signal(i, w), w);
    });
  }
}

void reduce_relay(builder& b) {
  const shares part(b, 1, true);
  const int others = b.p - 1;
  b.need_signals(part.pieces() * b.p);
  if (b.is_root()) {
    if (others == 0 && !b.in_place()) b.copy(b.input(), b.output(), b.count());
    if (others == 0) return;
    b.need_scratch(b.count());
    for (int i = 0; i < part.pieces(); ++i) {
      const std::size_t at = part.begin(i);
      b.round(i + 1);
      b.lane(i);
      for (int v = 1; v < b.p; ++v)
        if (part.size(i, v) != 0) b.wait(part.signal(i, v), v);
      b.reduce(b.input(at), b.scratch(at), b.output(at), part.size(i));
    }
    return;
  }
  b.need_scratch(part.scratch());
  for (int i = 0; i <= part.pieces(); ++i) {
    b.round(i);
    b.lane(i);
    if (i < part.pieces()) send_operands(b, part, i, 1);
    const int done = i - 1;  // while the next piece is on its way
    b.lane(done);
    if (done < 0 || part.size(done, b.me) == 0) continue;
    each_other(b, 1, [&](int w) { b.wait(part.signal(done, w), w); });
    const std::size_t at = part.begin(done, b.me), n = part.size(done, b.me);
    const place sum = others > 1 ? part.slot(done, b.me) : b.input(at);
    if (others > 1)
      b.fold(part.slot(done, 1), part.largest(), others, b.me - 1, b.input(at), sum, n);
    b.put(0, sum, b.scratch(at), n, part.signal(done, b.me));
  }
}

void allreduce_relay(builder& b) {
  b.writes_remote_output();
  b.output_follows_all();
  const shares part(b, 0);
  b.need_signals(2 * part.pieces() * b.p);
  b.need_scratch(part.scratch());
  for (int i = 0; i <= part.pieces(); ++i) {
    b.round(i);
    b.lane(i);
    if (i < part.pieces()) send_operands(b, part, i, 0);
    const int done = i - 1;
    b.lane(done);
    if (done < 0) continue;
    each_other(b, 0, [&](int w) { b.wait(part.signal(done, w), w); });
    const place mine = b.output(part.begin(done, b.me));
    const std::size_t n = part.size(done, b.me);
    b.fold(part.slot(done, 0), part.largest(), b.p, b.me, b.input(part.begin(done, b.me)), mine, n);
    each_other(b, 0, [&](int w) { b.put(w, mine, mine, n); });
    each_other(b, 0, [&](int w) { b.notify(w, part.signal(done, b.me, true)); });
  }
  for (int i = 0; i < part.pieces(); ++i) {
    b.round(i + 1);
    b.lane(i);
    each_other(b, 0, [&](int w) { b.wait(part.signal(i, w, true), w); });
  }
}

}  // namespace gossamer::algorithms
