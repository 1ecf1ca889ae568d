// Patterns: who talks to whom in which round, as pure arithmetic.
//
// Everything here is O(1), knows neither buffers nor fabrics, and works for any number of positions
// p >= 1. A position is a rank renumbered so that the root, where there is one, is position 0.
// Names are the field's usual ones (Thakur, Rabenseifner, Gropp: Optimization of collective
// communication operations in MPICH, 2005; dissemination: Hensgen, Finkel, Manber 1988; Bruck et
// al. 1997).
#pragma once

#include <bit>
#include <cstdint>

namespace gossamer::pattern {

/// Rounds until 2^rounds >= p: 0 for one position.
constexpr int rounds(int p) noexcept {
  return p <= 1 ? 0 : static_cast<int>(std::bit_width(static_cast<unsigned>(p - 1)));
}
/// The largest power of two <= p: the positions that exchange in pairs. Positions core(p) … p-1
/// hand their data to position - core(p) first and get the result from it last.
constexpr int core(int p) noexcept {
  return static_cast<int>(std::bit_floor(static_cast<unsigned>(p)));
}
/// (position + distance) mod p; distance in (-p, p).
constexpr int shifted(int position, int distance, int p) noexcept {
  const int at = position + distance;
  return at < 0 ? at + p : at >= p ? at - p : at;
}

/// Binomial tree with distance halving: position v holds the subtree v … v + extent(v) - 1, its
/// children are v + 2^j. Position 0 is the root; a child is reached in round
/// rounds(p) - 1 - j, so the largest distance comes first.
struct binomial {
  int p;
  /// Number of children's exponents j to look at: children are v + 2^j for j < degree(v) that are
  /// < p.
  [[nodiscard]] constexpr int degree(int v) const noexcept {
    return v == 0 ? rounds(p) : std::countr_zero(static_cast<unsigned>(v));
  }
  /// -1 for the root.
  [[nodiscard]] constexpr int parent(int v) const noexcept { return v == 0 ? -1 : v & (v - 1); }
  [[nodiscard]] constexpr int child(int v, int j) const noexcept { return v + (1 << j); }
  [[nodiscard]] constexpr bool has_child(int v, int j) const noexcept {
    return j < degree(v) && v + (1 << j) < p;
  }
  /// Positions in v's subtree, v included.
  [[nodiscard]] constexpr int extent(int v) const noexcept {
    if (v == 0) return p;
    const int whole = 1 << degree(v);
    return whole < p - v ? whole : p - v;
  }
};

/// Partner of recursive doubling and halving in the round of distance 2^j; v < core(p).
constexpr int partner(int v, int j) noexcept {
  return v ^ (1 << j);
}
/// First position of the group of 2^j that holds v.
constexpr int group(int v, int j) noexcept {
  return v >> j << j;
}

/// Dissemination among p positions: in round j, v tells to(v, j) and hears from from(v, j).
struct dissemination {
  int p;
  [[nodiscard]] constexpr int to(int v, int j) const noexcept { return (v + (1 << j)) % p; }
  [[nodiscard]] constexpr int from(int v, int j) const noexcept {
    return shifted(v, -((1 << j) % p), p);
  }
};

/// Even split of n elements into p blocks whose sizes differ by at most one, larger ones first.
constexpr std::size_t split_begin(std::size_t n, int p, int block) noexcept {
  const auto parts = static_cast<std::size_t>(p), b = static_cast<std::size_t>(block);
  const std::size_t extra = n % parts;
  return n / parts * b + (b < extra ? b : extra);
}
constexpr std::size_t split_size(std::size_t n, int p, int block) noexcept {
  return split_begin(n, p, block + 1) - split_begin(n, p, block);
}

}  // namespace gossamer::pattern
