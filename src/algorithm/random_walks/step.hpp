// What one step of a walk draws: a function of the row, and of random words that seed, walk, step
// and attempt number. For CPU and GPU alike; random_walks.hpp of the public headers defines it.
#pragma once

#include <cmath>
#include <cstdint>

#include "gossamer/base/ids.hpp"
#include "gossamer/graph/philox.hpp"

namespace gossamer::random_walks_detail {

__extension__ using wide_sum = unsigned __int128;

/// Attempts at a step with p and q before its row is added up.
inline constexpr std::uint32_t attempts_at_most = 64;
/// Bits of a row's weights together, as integers.
inline constexpr int sum_bits = 62;

/// floor(a b / 2^64): of random words a, a number below b.
GOSSAMER_HD inline std::uint64_t part_of(std::uint64_t a, std::uint64_t b) {
  return static_cast<std::uint64_t>(static_cast<wide_sum>(a) * b >> 64);
}
/// The same of wider sums, below 2^126.
GOSSAMER_HD inline wide_sum part_of(std::uint64_t a, wide_sum b) {
  const auto low = static_cast<std::uint64_t>(b), high = static_cast<std::uint64_t>(b >> 64);
  return static_cast<wide_sum>(a) * high + part_of(a, low);
}

/// A draws the arc, B says whether it is taken.
struct drawn_words {
  std::uint64_t a = 0, b = 0;
};
GOSSAMER_HD inline drawn_words draw(std::uint64_t seed, std::uint64_t walk, std::uint32_t step,
                                    std::uint32_t attempt) {
  const philox_words words = philox4x32(
      {{step, attempt, static_cast<std::uint32_t>(walk), static_cast<std::uint32_t>(walk >> 32)}},
      seed);
  return {words.wide(0), words.wide(1)};
}

/// What arcs count by the most that one may, in units of 2^-63.
struct second_order {
  std::uint64_t back = 0, near = 0, far = 0;

  static second_order of(double p, double q) {
    const double most = std::fmax(1.0, std::fmax(1 / p, 1 / q));
    const auto bound = [most](double counts) {
      const auto units = static_cast<std::uint64_t>(std::ldexp(counts / most, 63));
      return units == 0 ? std::uint64_t{1} : units;
    };
    return {bound(1 / p), bound(1), bound(1 / q)};
  }
};

/// By which power of two a row's floating weights are multiplied.
GOSSAMER_HD inline int weight_shift(double largest, std::int64_t degree) {
  int bits = 0, exponent = 0;
  while (std::int64_t{1} << bits < degree) ++bits;
  (void)std::frexp(largest, &exponent);
  return sum_bits - bits - exponent;
}
/// A floating weight as an integer.
GOSSAMER_HD inline std::uint64_t whole_weight(double weight, int shift) {
  return static_cast<std::uint64_t>(std::ldexp(weight, shift));
}

/// Whether a row that ascends, or any, holds x.
template <class Id>
GOSSAMER_HD inline bool row_has(const Id* row, std::int64_t degree, Id x, bool sorted) {
  std::int64_t low = 0, high = degree;
  if (sorted) {
    while (high - low > 8) {
      const std::int64_t middle = low + (high - low) / 2;
      if (row[middle] <= x)
        low = middle;
      else
        high = middle;
    }
  }
  for (; low < high; ++low)
    if (row[low] == x) return true;
  return false;
}

/// A row of the graph; `sums`: of its weights up to each arc and with it, null without weights.
template <class Id>
struct walk_row {
  const Id* columns = nullptr;
  const std::uint64_t* sums = nullptr;
  std::int64_t degree = 0;

  [[nodiscard]] GOSSAMER_HD std::uint64_t weight(std::int64_t i) const {
    if (sums == nullptr) return 1;
    return i == 0 ? sums[0] : sums[i] - sums[i - 1];
  }
};

/// The arc that is drawn from the whole row, when attempts were in vain. O(d log d).
template <class Id>
GOSSAMER_HD inline std::int64_t exact_arc(const walk_row<Id>& at, const walk_row<Id>& before,
                                          Id before_id, const second_order& counts, bool sorted,
                                          std::uint64_t a) {
  const auto counted = [&](std::int64_t i) {
    const Id x = at.columns[i];
    const std::uint64_t share = x == before_id                                      ? counts.back
                                : row_has(before.columns, before.degree, x, sorted) ? counts.near
                                                                                    : counts.far;
    return static_cast<wide_sum>(at.weight(i)) * share;
  };
  wide_sum all = 0, up_to = 0;
  for (std::int64_t i = 0; i < at.degree; ++i) all += counted(i);
  const wide_sum drawn = part_of(a, all);
  for (std::int64_t i = 0; i < at.degree; ++i) {
    up_to += counted(i);
    if (up_to > drawn) return i;
  }
  return at.degree - 1;
}

}  // namespace gossamer::random_walks_detail
