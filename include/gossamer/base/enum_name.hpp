// Names of an enumeration's values.
#pragma once

#include <cstddef>

namespace gossamer {

/// The name of `value` among those of all values, which count from 0 to `Last`. That all are named
/// is seen when compiling; what is no value has Last's name.
template <auto Last, std::size_t N>
constexpr const char* enum_name(decltype(Last) value, const char* const (&names)[N]) noexcept {
  static_assert(N == static_cast<std::size_t>(Last) + 1, "a name for each value");
  const auto at = static_cast<std::size_t>(value);
  return names[at < N ? at : N - 1];
}

}  // namespace gossamer
