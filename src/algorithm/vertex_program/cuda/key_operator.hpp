// A program as the operator of a worklist on GPUs. What it does with a key is `Code`: an expression
// that is built in (builtin_code.hpp), or one that was compiled at run time, which has this header
// as text (text.cpp).
#pragma once

#include <cstdint>

#include "gossamer/base/ids.hpp"
#include "gossamer/dataflow/weighted_rows.hpp"

namespace gossamer::program_detail::cuda {

/// What the kernel is told.
struct operator_terms {
  const edge_offset* offsets;  ///< of own rows
  std::int64_t first;          ///< placed id of the first
  std::int32_t form, type;     ///< of an expression that is built in
  bool larger, ordered;        ///< …; ordered: values are keys, not as they are

  [[nodiscard]] GOSSAMER_HD std::int64_t degree(std::int64_t vertex) const {
    return offsets[vertex - first + 1] - offsets[vertex - first];
  }
};

/// A weight as bits of a key; 0 where there is none.
template <class Key>
GOSSAMER_HD Key bits_along(const no_weight&) {
  return 0;
}
template <class Key>
GOSSAMER_HD Key bits_along(const Key& weight) {
  return weight;
}

/// Code: functions of terms and a key. propagate(terms, key, weight, vertex): what goes out
/// along an arc of that vertex, a key; weights are as many bits as keys, 0 where there are none.
/// priority(terms, key): see priority_of() in order_key.hpp; of_priority(terms, priority): its
/// inverse, where the smaller value is the better one.
template <class Key, class Code>
struct key_operator {
  using value = Key;
  static constexpr bool smaller_word_wins = true;
  operator_terms terms;

  GOSSAMER_HD static bool update(Key& at, const Key& incoming) {
    if (!(incoming < at)) return false;
    at = incoming;
    return true;
  }
  template <class Arc>
  GOSSAMER_HD Key propagate(const Key& from, const Arc& along) const {
    return Code::propagate(terms, from, bits_along<Key>(along.weight), along.from);
  }
  [[nodiscard]] GOSSAMER_HD double priority(const Key& at) const {
    return Code::priority(terms, at);
  }
  GOSSAMER_HD static Key of_priority(const key_operator& by, double priority) {
    return Code::of_priority(by.terms, priority);
  }
};

/// Bits are gathered, as they are.
template <class Key, class Code>
struct bits_operator {
  using value = Key;
  operator_terms terms;

  GOSSAMER_HD static bool update(Key& at, const Key& incoming) {
    const Key all = at | incoming;
    if (all == at) return false;
    at = all;
    return true;
  }
  template <class Arc>
  GOSSAMER_HD Key propagate(const Key& from, const Arc& along) const {
    return Code::propagate(terms, from, bits_along<Key>(along.weight), along.from);
  }
  GOSSAMER_HD static double priority(const Key&) { return 0; }
};

/// Sums are taken by who passes them on (gossamer/dataflow/worklist/cuda/sums.cuh). How much one is
/// worth is a number of halvings down to the threshold.
template <class Code>
struct sum_operator {
  using value = double;
  static constexpr bool sums = true;
  operator_terms terms;
  double scale;    ///< 1 / threshold
  double* passed;  ///< [own rows]

  [[nodiscard]] GOSSAMER_HD int level(std::int64_t, double sum) const {
    // Of what is not negative: no sign above the exponent.
    const auto bits = __builtin_bit_cast(std::uint64_t, sum * scale);
    const int halvings = static_cast<int>(bits >> 52) - 1022;
    return halvings > 0 ? halvings : 0;
  }
  GOSSAMER_HD static double priority(int level) { return -static_cast<double>(level); }
  [[nodiscard]] GOSSAMER_HD double leave(std::int64_t row, double taken) const {
    passed[row] += taken;
    return taken;
  }
  template <class Arc>
  GOSSAMER_HD double propagate(double out, const Arc& along) const {
    using key = std::uint64_t;
    return __builtin_bit_cast(double, Code::propagate(terms, __builtin_bit_cast(key, out),
                                                      bits_along<key>(along.weight), along.from));
  }
};

/// How a run of sums begins: what came to own vertices before lies where what they pass on will.
struct given_sums {
  double* passed;         ///< [own rows]
  std::int64_t first_id;  ///< placed id of the first

  GOSSAMER_HD static double initial(std::int32_t) { return 0; }
  GOSSAMER_HD static bool starts(std::int32_t) { return true; }
  [[nodiscard]] GOSSAMER_HD double first(std::int32_t vertex) const {
    const double came = passed[vertex - first_id];
    passed[vertex - first_id] = 0;
    return came;
  }
};

/// How a run begins: values lie there, and some vertices are work.
struct given_values {
  static constexpr bool given = true;
  const std::uint32_t* begins;  ///< bits of own rows
  std::int64_t first;           ///< placed id of the first

  [[nodiscard]] GOSSAMER_HD bool starts(std::int32_t vertex) const {
    const std::int64_t row = vertex - first;
    return (begins[row / 32] >> (row % 32) & 1u) != 0;
  }
};

}  // namespace gossamer::program_detail::cuda
