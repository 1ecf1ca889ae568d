// From an element type as data to one as a type.
#pragma once

#include <cstdint>

#include "gossamer/collective/plan.hpp"

namespace gossamer {

/// Calls f with a value of every type that can be reduced.
template <class F>
void for_each_type(F f) {
  f(std::int32_t{});
  f(std::uint32_t{});
  f(std::int64_t{});
  f(std::uint64_t{});
  f(float{});
  f(double{});
}

/// Calls f with a value of the type; of others than these only bytes are moved, as any of them.
template <class F>
void with_type(element_type type, F f) {
  for_each_type([&]<class T>(T zero) {
    const bool other = type == element_type::other && element_type_of<T>() == element_type::uint32;
    if (type == element_type_of<T>() || other) f(zero);
  });
}

}  // namespace gossamer
