// Collectives of long vectors in which every rank works for the others on a share of every piece of
// the vector: relays it to the rest (broadcast), or sums it up for the root (reduce) or for all
// (allreduce). Two hops, cut into pieces: while a share of piece k is passed on, that of piece k +
// 1 is on its way.
//
// Broadcast and reduce: every rank sends one vector and receives one, which is the least where the
// links of all ranks are equal. There are two hops where a chain has p - 1; a piece's second hop
// remains at the end. Allreduce: two vectors less 2 / p, as any.
//
// As one kernel, blocks work by themselves (slices.hpp), each somewhere else in the schedule. Of
// GPUs' hosts, lanes (step::lane) are what keeps every link busy all the time. A broadcast has one
// for each transfer, so that those to all peers are on their way at once: one after the other, the
// root would fill one receiver's link while the relays fill it, too, and leave the others' half
// empty. A reduction sends operands in some lanes and sums of earlier pieces in others: in common
// ones every rank would send operands at the same time, and nobody sums.
//
// Shares begin at multiples of 128 bytes, because a GPU moves words of 16 bytes best, and a fence
// costs a line. (Thirds of 2^k doubles would begin beside such a word every second time.)
//
// For few ranks: each talks to all others once a piece.
#include <algorithm>
#include <cmath>

#include "collective/algorithm/algorithms.hpp"

namespace gossamer::algorithms {

namespace {

constexpr std::size_t line = 128;  ///< bytes
constexpr int most_pieces = 64;

/// Pieces of a vector of so many MiB. After the last byte has left the root, one piece's second hop
/// is left to do, about 0.9 N / S by four ranks. A piece costs 0.4 us where other blocks hide its
/// fences (two H200: 64 pieces of a broadcast instead of 16 cost 22 us). Both together are least at
/// some 30 pieces for 256 MiB, and that rises with the root of the length. Two ranks have no second
/// hop; their root sums the last pieces up. Where every step is a call of a GPU's host, some 3.5
/// us, one for each 2 MiB keeps the host ahead of a link. One, where a kernel makes two hops of it
/// (packed_hops.hpp).
double best_pieces(const collective_request& q, int owners, int calls, bool root_sums) {
  const auto up = [](std::size_t n, std::size_t by) { return (n + by - 1) / by; };
  const std::size_t share = up(up(q.count * q.element, line), static_cast<std::size_t>(owners));
  if (!root_sums && share * line <= q.longest_hop) return 1;
  const auto megabytes = static_cast<double>(q.count * q.element) / (1 << 20);
  const double pieces = (q.ranks > 2 ? 2 : root_sums ? 4 : 1) * std::sqrt(megabytes);
  return q.by_calls ? std::min(pieces, megabytes / (2 * calls)) : pieces;
}

class shares {
 public:
  /// Of positions `first` (0 or 1) to p - 1. `calls`: steps of the busiest rank for each piece that
  /// its link carries. `root_sums`: the last pieces are summed up after their last byte has come.
  shares(const builder& b, int first, int calls, bool root_sums = false)
      : n_(b.count()), p_(b.p), first_(first), owners_(std::max(1, b.p - first)) {
    const auto& q = b.shape.request();
    // Few messages, and no share without an element unless the vector has fewer than owners.
    const auto full =
        static_cast<int>(std::min<std::size_t>(n_ / static_cast<std::size_t>(owners_), 1 << 10));
    most_ = std::clamp(std::min(full, 1024 / p_), 1, most_pieces);
    const auto best = static_cast<int>(best_pieces(q, owners_, calls, root_sums));
    pieces_ = std::clamp(q.segments > 0 ? q.segments : best, 1, most_);
    const std::size_t whole = line % q.element == 0 ? line / q.element : 1;
    unit_ = n_ >= 4 * whole * slots(most_) ? whole : 1;
  }
  [[nodiscard]] int pieces() const { return pieces_; }
  [[nodiscard]] std::size_t begin(int piece) const { return cut(0, n_, pieces_, piece); }
  [[nodiscard]] std::size_t size(int piece) const { return begin(piece + 1) - begin(piece); }
  // Of position v in a piece.
  [[nodiscard]] std::size_t begin(int piece, int v) const {
    return cut(begin(piece), begin(piece + 1), owners_, v - first_);
  }
  [[nodiscard]] std::size_t size(int piece, int v) const {
    return begin(piece, v + 1) - begin(piece, v);
  }
  /// An upper bound of all shares.
  [[nodiscard]] std::size_t largest() const {
    const auto part = [this](std::size_t n, int parts) {
      const std::size_t d = static_cast<std::size_t>(parts) * unit_;
      return (n + d - 1) / d * unit_;
    };
    return part(part(n_, pieces_), owners_);
  }
  /// Raised by position `from`: its share of a piece; `second`: when it was summed up.
  [[nodiscard]] int signal(int piece, int from, bool second = false) const {
    return ((second ? pieces_ : 0) + piece) * p_ + from;
  }
  /// Scratch for what others send of one's own share: a slot a position, for the own one the sum.
  /// Enough for any number of pieces, since it is planned before that is known (by_calls).
  [[nodiscard]] std::size_t scratch() const { return n_ + 2 * unit_ * slots(most_); }
  [[nodiscard]] buffer_place slot(int piece, int v) const {
    return builder::scratch((slots(piece) + static_cast<std::size_t>(v - first_)) * largest());
  }

 private:
  [[nodiscard]] std::size_t slots(int pieces) const {
    return static_cast<std::size_t>(pieces) * static_cast<std::size_t>(owners_);
  }
  /// Where part i of an even division of [begin, end) begins; `begin` is a multiple of unit_.
  [[nodiscard]] std::size_t cut(std::size_t begin, std::size_t end, int parts, int i) const {
    const std::size_t units = (end - begin + unit_ - 1) / unit_;
    return std::min(end, begin + pattern::split_begin(units, parts, i) * unit_);
  }

  std::size_t n_, unit_ = 1;
  int p_, first_, owners_, most_ = 1, pieces_ = 1;
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
      b.put(w, b.input(part.begin(piece, w)), part.slot(piece, b.me), part.size(piece, w),
            part.signal(piece, b.me));
  });
}

// Lanes of a reduction: operands, and sums of what came.
int sends_of(int piece) {
  return 2 * piece;
}
int sums_of(int piece) {
  return 2 * piece + 1;
}

}  // namespace

void broadcast_relay(builder& b) {
  b.writes_remote_output();
  const shares part(b, 1, std::max(2 * (b.p - 1), 4 * (b.p - 2)));
  b.need_signals(part.pieces() * b.p);
  const auto has = [&](int piece, int v) { return part.size(piece, v) != 0; };
  int transfers = 0;
  for (int i = 0; i < part.pieces(); ++i) {
    if (b.is_root()) {
      b.round(i);
      for (int v = 1; v < b.p; ++v) {
        b.lane(transfers++);
        if (has(i, v))
          b.put(v, b.input(part.begin(i, v)), b.output(part.begin(i, v)), part.size(i, v),
                part.signal(i, 0));
      }
      continue;
    }
    if (!has(i, b.me)) continue;
    const buffer_place mine = b.output(part.begin(i, b.me));
    const auto hear = [&] {
      b.lane(transfers++);
      b.round(i);
      b.wait(part.signal(i, 0), 0);
    };
    const bool once = b.p == 2 || (part.pieces() == 1 && b.shape.request().longest_hop > 0);
    if (once) hear();
    each_other(b, 1, [&](int w) {
      if (!once) hear();  // each lane for itself
      b.round(i + 1);
      b.put(w, mine, mine, part.size(i, b.me), part.signal(i, b.me));
    });
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
  const shares part(b, 1, 3 * (b.p - 1), true);
  const int others = b.p - 1;
  b.need_signals(part.pieces() * b.p);
  if (b.is_root()) {
    if (others == 0 && !b.in_place()) b.copy(b.input(), b.output(), b.count());
    if (others == 0) return;
    b.need_scratch(b.count());
    for (int i = 0; i < part.pieces(); ++i) {
      b.round(i + 1);
      b.lane(i);
      for (int v = 1; v < b.p; ++v) {
        const std::size_t at = part.begin(i, v), n = part.size(i, v);
        if (n == 0) continue;
        b.wait(part.signal(i, v), v);
        b.reduce(b.input(at), b.scratch(at), b.output(at), n);
      }
    }
    return;
  }
  b.need_scratch(part.scratch());
  for (int i = 0; i <= part.pieces(); ++i) {
    b.round(i);
    b.lane(sends_of(i));
    if (i < part.pieces()) send_operands(b, part, i, 1);
    const int done = i - 1;  // while the next piece is on its way
    b.lane(others > 1 ? sums_of(done) : done);
    if (done < 0 || part.size(done, b.me) == 0) continue;
    each_other(b, 1, [&](int w) { b.wait(part.signal(done, w), w); });
    const std::size_t at = part.begin(done, b.me), n = part.size(done, b.me);
    const buffer_place sum = others > 1 ? part.slot(done, b.me) : b.input(at);
    if (others > 1)
      b.fold(part.slot(done, 1), part.largest(), others, b.me - 1, b.input(at), sum, n);
    b.put(0, sum, b.scratch(at), n, part.signal(done, b.me));
  }
}

void allreduce_relay(builder& b) {
  b.writes_remote_output();
  b.output_follows_all();
  // 6 p - 5 steps for 2 - 2 / p pieces' bytes.
  const shares part(b, 0, 3 * b.p + 1);
  b.need_signals(2 * part.pieces() * b.p);
  b.need_scratch(part.scratch());
  for (int i = 0; i <= part.pieces(); ++i) {
    b.round(i);
    b.lane(sends_of(i));
    if (i < part.pieces()) send_operands(b, part, i, 0);
    const int done = i - 1;
    b.lane(sums_of(done));
    if (done < 0) continue;
    each_other(b, 0, [&](int w) { b.wait(part.signal(done, w), w); });
    const buffer_place mine = b.output(part.begin(done, b.me));
    const std::size_t n = part.size(done, b.me);
    b.fold(part.slot(done, 0), part.largest(), b.p, b.me, b.input(part.begin(done, b.me)), mine, n);
    each_other(b, 0, [&](int w) { b.put(w, mine, mine, n, part.signal(done, b.me, true)); });
  }
  for (int i = 0; i < part.pieces(); ++i) {
    b.round(i + 1);
    b.lane(sends_of(i));
    each_other(b, 0, [&](int w) { b.wait(part.signal(i, w, true), w); });
  }
}

}  // namespace gossamer::algorithms
