// Values as keys: words without a sign in which smaller is better (vertex_program.hpp). The
// compiled text has the same functions for one type (text.cpp).
#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>

#include "gossamer/algorithm/vertex_program.hpp"
#include "gossamer/base/ids.hpp"

namespace gossamer::program_detail {

template <class T>
using key_of = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;

/// Of no value at all: no key is worse.
template <class Key>
inline constexpr Key worst = std::numeric_limits<Key>::max();

template <class T>
GOSSAMER_HD key_of<T> to_key(T value, bool larger) {
  using Key = key_of<T>;
  constexpr Key top = Key{1} << (8 * sizeof(Key) - 1);
  auto key = __builtin_bit_cast(Key, value);
  if constexpr (std::is_floating_point_v<T>) {
    if (value != value) return worst<Key>;  // NOLINT(misc-redundant-expression): NaN
    key = (key & top) != 0 ? static_cast<Key>(~key) : key | top;
  } else if constexpr (std::is_signed_v<T>) {
    key ^= top;
  }
  return larger ? static_cast<Key>(~key) : key;
}

template <class T>
GOSSAMER_HD T from_key(key_of<T> key, bool larger) {
  using Key = key_of<T>;
  constexpr Key top = Key{1} << (8 * sizeof(Key) - 1);
  if (larger) key = static_cast<Key>(~key);
  if constexpr (std::is_floating_point_v<T>)
    key = (key & top) != 0 ? static_cast<Key>(key ^ top) : static_cast<Key>(~key);
  else if constexpr (std::is_signed_v<T>)
    key ^= top;
  return __builtin_bit_cast(T, key);
}

/// The same by update: bits and sums are kept as they are.
template <class T>
key_of<T> to_key(T value, program_update update) {
  if (update == program_update::smaller || update == program_update::larger)
    return to_key(value, update == program_update::larger);
  return __builtin_bit_cast(key_of<T>, value);
}
template <class T>
T from_key(key_of<T> key, program_update update) {
  if (update == program_update::smaller || update == program_update::larger)
    return from_key<T>(key, update == program_update::larger);
  return __builtin_bit_cast(T, key);
}

/// Calls f(T{}) with the type meant.
template <class F>
decltype(auto) with_type(program_type type, F&& f) {
  switch (type) {
    case program_type::int32:
      return f(std::int32_t{});
    case program_type::int64:
      return f(std::int64_t{});
    case program_type::uint32:
      return f(std::uint32_t{});
    case program_type::uint64:
      return f(std::uint64_t{});
    case program_type::float32:
      return f(float{});
    default:
      return f(double{});
  }
}

inline int value_bytes(program_type type) {
  return with_type(type, [](auto t) { return static_cast<int>(sizeof t); });
}

/// Smaller is sooner: the value in the unit of weights, always finite, since thresholds are sums.
template <class T>
GOSSAMER_HD double priority_of(key_of<T> key, bool larger) {
  constexpr double most = 0x1p1022;
  const auto value = static_cast<double>(from_key<T>(key, larger));
  const double sooner = larger ? -value : value;
  return sooner < -most ? -most : sooner <= most ? sooner : most;
}
template <class Key>
double priority_of(Key key, program_type type, bool larger) {
  return with_type(type, [&]<class T>(T) -> double {
    if constexpr (sizeof(T) == sizeof(Key))
      return priority_of<T>(key, larger);
    else
      return 0;  // no program of this type has such keys
  });
}

}  // namespace gossamer::program_detail
