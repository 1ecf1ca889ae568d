// The expressions that need no compiler: which there are, and what they give. Their arithmetic is
// that of the compiled text (text.cpp): integers wrap.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>

#include "algorithm/vertex_program/order_key.hpp"

namespace gossamer::program_detail {

enum form : std::uint8_t {
  same,
  plus_weight,
  plus_one,
  smaller_of,
  larger_of,
  times_weight,
  forms
};

/// Which one a program's text is, if any.
std::optional<form> builtin_form(const std::string& expression);

template <class T>
using wrapping = std::conditional_t<std::is_floating_point_v<T>, T, key_of<T>>;

template <class T>
GOSSAMER_HD T sent_along(form which, T value, T weight) {
  using W = wrapping<T>;
  switch (which) {
    case plus_weight:
      return static_cast<T>(static_cast<W>(value) + static_cast<W>(weight));
    case plus_one:
      return static_cast<T>(static_cast<W>(value) + W{1});
    case smaller_of:
      return weight < value ? weight : value;
    case larger_of:
      return weight > value ? weight : value;
    case times_weight:
      return static_cast<T>(static_cast<W>(value) * static_cast<W>(weight));
    default:
      return value;
  }
}

}  // namespace gossamer::program_detail
