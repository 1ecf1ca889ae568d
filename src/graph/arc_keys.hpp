// Arcs as unsigned integers that sort as (target, weight): what the builder moves and sorts.
//
// A weight becomes an unsigned integer of the same order (sign bit flipped for integers; for IEEE
// floats all bits flipped when negative, else the sign: totalOrder, NaN last), and the target sits
// above it. One integer comparison then orders parallel arcs the same way in every run, and radix
// sort needs no special case.
#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>
#include <variant>

#include "gossamer/base/ids.hpp"
#include "gossamer/graph/random.hpp"

namespace gossamer::detail {

/// A weight's bits as an integer of the same order; `real`: they are a floating number's.
template <class Bits>
GOSSAMER_HD constexpr Bits order_bits(Bits raw, bool real) {
  constexpr Bits top = Bits{1} << (8 * sizeof(Bits) - 1);
  return real && (raw & top) != 0 ? static_cast<Bits>(~raw) : raw ^ top;
}
/// The bits of which order_bits makes these.
template <class Bits>
GOSSAMER_HD constexpr Bits raw_bits(Bits ordered, bool real) {
  constexpr Bits top = Bits{1} << (8 * sizeof(Bits) - 1);
  return real && (ordered & top) == 0 ? static_cast<Bits>(~ordered) : ordered ^ top;
}

/// What the arc (u,v) adds to a sum that is 0 when each arc has its mirror (listed_both_ways.hpp).
/// `weight`: mix64 of the weight's ordered bits, 0 when there is none.
GOSSAMER_HD constexpr std::uint64_t mirror_difference(std::uint64_t seed, std::int64_t u,
                                                      std::int64_t v, std::uint64_t weight) {
  const std::uint64_t from = mix64(static_cast<std::uint64_t>(u) + seed);
  const std::uint64_t to = mix64(static_cast<std::uint64_t>(v) + seed);
  // The ends' places differ by a factor; a loop is its own mirror and adds nothing.
  return mix64(from + 3 * to + weight) - mix64(to + 3 * from + weight);
}

/// Encoding of arcs to targets of type Id with weights of type Weight (monostate: none).
template <class Id, class Weight>
struct arc_key;

template <class Id>
struct arc_key<Id, std::monostate> {
  using type = std::make_unsigned_t<Id>;
  static type make(std::int64_t v, std::monostate) { return static_cast<type>(v); }
  static Id target(type k) { return static_cast<Id>(k); }
  static std::monostate weight(type) { return {}; }
  static bool same_target(type a, type b) { return a == b; }
};

inline std::uint32_t ordered_bits(std::int32_t w) {
  return order_bits(static_cast<std::uint32_t>(w), false);
}
inline std::uint32_t ordered_bits(float w) {
  return order_bits(std::bit_cast<std::uint32_t>(w), true);
}
inline std::uint64_t ordered_bits(double w) {
  return order_bits(std::bit_cast<std::uint64_t>(w), true);
}
inline void from_ordered_bits(std::uint32_t b, std::int32_t& w) {
  w = static_cast<std::int32_t>(raw_bits(b, false));
}
inline void from_ordered_bits(std::uint32_t b, float& w) {
  w = std::bit_cast<float>(raw_bits(b, true));
}
inline void from_ordered_bits(std::uint64_t b, double& w) {
  w = std::bit_cast<double>(raw_bits(b, true));
}

__extension__ using wide_key = unsigned __int128;

template <class Id, class Weight>
struct arc_key {
  using bits = decltype(ordered_bits(Weight{}));
  static constexpr int shift = 8 * static_cast<int>(sizeof(bits));
  using type = std::conditional_t<sizeof(Id) == 4 && sizeof(Weight) == 4, std::uint64_t, wide_key>;
  static type make(std::int64_t v, Weight w) {
    return static_cast<type>(static_cast<std::uint64_t>(v)) << shift | ordered_bits(w);
  }
  static Id target(type k) { return static_cast<Id>(static_cast<std::uint64_t>(k >> shift)); }
  static Weight weight(type k) {
    Weight w;
    from_ordered_bits(static_cast<bits>(k), w);
    return w;
  }
  static bool same_target(type a, type b) { return (a >> shift) == (b >> shift); }
};

}  // namespace gossamer::detail
