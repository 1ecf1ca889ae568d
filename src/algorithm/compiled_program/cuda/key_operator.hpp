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
  bool larger;                 ///< …

  [[nodiscard]] GOSSAMER_HD std::int64_t degree(std::int64_t vertex) const {
    return offsets[vertex - first + 1] - offsets[vertex - first];
  }
};

/// Code: two functions of terms and a key. propagate(terms, key, weight, vertex): what goes out
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
    return Code::propagate(terms, from, bits_of(along.weight), along.from);
  }
  [[nodiscard]] GOSSAMER_HD double priority(const Key& at) const {
    return Code::priority(terms, at);
  }
  GOSSAMER_HD static Key of_priority(const key_operator& by, double priority) {
    return Code::of_priority(by.terms, priority);
  }

 private:
  GOSSAMER_HD static Key bits_of(const no_weight&) { return 0; }
  GOSSAMER_HD static Key bits_of(const Key& weight) { return weight; }
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
