// Broadcast and reduce in which the others share the work of the root: of every piece of the vector
// each of them relays one share to the rest (broadcast), or sums one up for the root (reduce).
//
// Every rank sends one vector and receives one, which is the least where the links of all ranks are
// equal, in two hops where a chain has p - 1. Pieces overlap the hops. A piece costs about as much
// beside its bytes as 1 MiB takes (a fence and a signal of a GPU's whole grid, some 3 us), so the
// best number of pieces is about the root of the vector's length in MiB. For few ranks: each talks
// to all others once a piece.
#include <algorithm>
#include <cmath>

#include "collective/algorithm/algorithms.hpp"

namespace gossamer::algorithms {

namespace {

class shares {
 public:
  explicit shares(const builder& b) : n_(b.count()), p_(b.p) {
    const auto& q = b.shape.request();
    const auto megabytes = static_cast<double>(q.count * q.element) / (1 << 20);
    pieces_ = q.segments > 0 ? q.segments
                             : std::clamp(static_cast<int>(std::sqrt(megabytes)), 1,
                                          std::clamp(1024 / p_, 1, 32));
  }
  [[nodiscard]] int pieces() const { return pieces_; }
  [[nodiscard]] std::size_t begin(int piece) const {
    return pattern::split_begin(n_, pieces_, piece);
  }
  [[nodiscard]] std::size_t size(int piece) const {
    return pattern::split_size(n_, pieces_, piece);
  }
  // Of position v > 0 in a piece; may be empty, and is then left out.
  [[nodiscard]] std::size_t begin(int piece, int v) const {
    return begin(piece) + pattern::split_begin(size(piece), p_ - 1, v - 1);
  }
  [[nodiscard]] std::size_t size(int piece, int v) const {
    return pattern::split_size(size(piece), p_ - 1, v - 1);
  }
  /// An upper bound of all shares.
  [[nodiscard]] std::size_t largest() const {
    const auto cut = [](std::size_t n, int parts) {
      const auto d = static_cast<std::size_t>(parts);
      return (n + d - 1) / d;
    };
    return cut(cut(n_, pieces_), p_ - 1);
  }
  /// Raised by position `from`.
  [[nodiscard]] int signal(int piece, int from) const { return piece * p_ + from; }

 private:
  std::size_t n_;
  int p_, pieces_ = 1;
};

/// Calls f(w) for all positions but 0 and v, the next first.
template <class F>
void each_other(const builder& b, int v, F f) {
  for (int k = 1; k + 1 < b.p; ++k) f(1 + (v - 1 + k) % (b.p - 1));
}

/// As each_other, those that have a share of the piece. v = 0: all that have.
template <class F>
void each_owner(const builder& b, const shares& part, int piece, int v, F f) {
  const auto take = [&](int w) {
    if (part.size(piece, w) != 0) f(w);
  };
  if (v != 0) return each_other(b, v, take);
  for (int w = 1; w < b.p; ++w) take(w);
}

}  // namespace

void broadcast_relay(builder& b) {
  b.writes_remote_output();
  const shares part(b);
  b.need_signals(part.pieces() * b.p);
  for (int i = 0; i < part.pieces(); ++i) {
    b.round(i);
    if (b.is_root()) {
      each_owner(b, part, i, 0, [&](int v) {
        const std::size_t at = part.begin(i, v);
        b.put(v, b.input(at), b.output(at), part.size(i, v));
      });
      each_owner(b, part, i, 0, [&](int v) { b.notify(v, part.signal(i, 0)); });
    } else if (part.size(i, b.me) != 0) {
      b.wait(part.signal(i, 0), 0);
      b.round(i + 1);
      const place mine = b.output(part.begin(i, b.me));
      each_other(b, b.me, [&](int w) { b.put(w, mine, mine, part.size(i, b.me)); });
      each_other(b, b.me, [&](int w) { b.notify(w, part.signal(i, b.me)); });
    }
  }
  if (b.is_root()) {
    if (!b.in_place()) b.copy(b.input(), b.output(), b.count());
    return;
  }
  for (int i = 0; i < part.pieces(); ++i) {
    b.round(i + 1);
    each_owner(b, part, i, b.me, [&](int w) { b.wait(part.signal(i, w), w); });
  }
}

void reduce_relay(builder& b) {
  const shares part(b);
  const int m = b.p - 1, pieces = part.pieces();
  b.need_signals(pieces * b.p);
  if (b.is_root()) {
    if (m == 0) {
      if (!b.in_place()) b.copy(b.input(), b.output(), b.count());
      return;
    }
    b.need_scratch(b.count());
    for (int i = 0; i < pieces; ++i) {
      const std::size_t at = part.begin(i);
      b.round(i + 1);
      each_owner(b, part, i, 0, [&](int v) { b.wait(part.signal(i, v), v); });
      b.reduce(b.input(at), b.scratch(at), b.output(at), part.size(i));
    }
    return;
  }
  // Slot of position w in a piece; the own one is where the sum goes, as its operand is the input.
  const std::size_t width = part.largest();
  const auto slot = [&](int piece, int w) {
    return b.scratch((static_cast<std::size_t>(piece) * static_cast<std::size_t>(m) +
                      static_cast<std::size_t>(w - 1)) *
                     width);
  };
  b.need_scratch(static_cast<std::size_t>(pieces) * static_cast<std::size_t>(m) * width);
  for (int i = 0; i <= pieces; ++i) {
    if (i < pieces) {
      b.round(i);
      each_owner(b, part, i, b.me, [&](int w) {
        b.put(w, b.input(part.begin(i, w)), slot(i, b.me), part.size(i, w));
      });
      each_owner(b, part, i, b.me, [&](int w) { b.notify(w, part.signal(i, b.me)); });
    }
    const int done = i - 1;  // while the next piece is on its way
    if (done < 0 || part.size(done, b.me) == 0) continue;
    b.round(i);
    each_other(b, b.me, [&](int w) { b.wait(part.signal(done, w), w); });
    const std::size_t at = part.begin(done, b.me), n = part.size(done, b.me);
    const place sum = m > 1 ? slot(done, b.me) : b.input(at);
    if (m > 1) b.fold(slot(done, 1), width, m, b.me - 1, b.input(at), sum, n);
    b.put(0, sum, b.scratch(at), n, part.signal(done, b.me));
  }
}

}  // namespace gossamer::algorithms
