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

namespace gossamer::detail {

/// Encoding of arcs to targets of type Id with weights of type Weight (monostate: none).
template <class Id, class Weight>
struct arc_key;

template <>
struct arc_key<vertex32, std::monostate> {
  using type = std::uint32_t;
  static type make(std::int64_t v, std::monostate) { return static_cast<type>(v); }
  static vertex32 target(type k) { return static_cast<vertex32>(k); }
  static std::monostate weight(type) { return {}; }
  static bool same_target(type a, type b) { return a == b; }
};

template <>
struct arc_key<vertex64, std::monostate> {
  using type = std::uint64_t;
  static type make(std::int64_t v, std::monostate) { return static_cast<type>(v); }
  static vertex64 target(type k) { return static_cast<vertex64>(k); }
  static std::monostate weight(type) { return {}; }
  static bool same_target(type a, type b) { return a == b; }
};

inline std::uint32_t ordered_bits(std::int32_t w) {
  return static_cast<std::uint32_t>(w) ^ 0x80000000u;
}
inline std::uint32_t ordered_bits(float w) {
  const auto b = std::bit_cast<std::uint32_t>(w);
  return (b >> 31) != 0 ? ~b : b ^ 0x80000000u;
}
inline std::uint64_t ordered_bits(double w) {
  const auto b = std::bit_cast<std::uint64_t>(w);
  return (b >> 63) != 0 ? ~b : b ^ 0x8000000000000000u;
}
inline void from_ordered_bits(std::uint32_t b, std::int32_t& w) {
  w = static_cast<std::int32_t>(b ^ 0x80000000u);
}
inline void from_ordered_bits(std::uint32_t b, float& w) {
  w = std::bit_cast<float>((b >> 31) != 0 ? b ^ 0x80000000u : ~b);
}
inline void from_ordered_bits(std::uint64_t b, double& w) {
  w = std::bit_cast<double>((b >> 63) != 0 ? b ^ 0x8000000000000000u : ~b);
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
