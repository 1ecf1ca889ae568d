// The reductions as one function for host and device code.
#pragma once

#include <type_traits>

#include "gossamer/base/ids.hpp"
#include "gossamer/collective/scalar.hpp"

namespace gossamer {

/// a + b, min, max or a | b. Integer sums wrap, signed ones too. bit_or of floats never gets here:
/// it is refused when planned.
template <class T>
GOSSAMER_HD inline T combine(T a, T b, reduction op) {
  switch (op) {
    case reduction::sum:
      if constexpr (std::is_integral_v<T>) {
        using bits = std::make_unsigned_t<T>;
        return static_cast<T>(static_cast<bits>(a) + static_cast<bits>(b));
      } else {
        return a + b;
      }
    case reduction::min:
      return b < a ? b : a;
    case reduction::max:
      return a < b ? b : a;
    case reduction::bit_or:
      if constexpr (std::is_integral_v<T>) return static_cast<T>(a | b);
  }
  return a;
}

}  // namespace gossamer
