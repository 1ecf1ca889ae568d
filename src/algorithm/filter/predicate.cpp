// Filter's predicates as text, and results that come to the host.
#include <charconv>
#include <cmath>
#include <limits>
#include <string>

#include "algorithm/filter/types.hpp"
#include "gossamer/algorithm/filter.hpp"
#include "gossamer/base/error.hpp"
#include "gossamer/base/shown.hpp"

namespace gossamer {

namespace {

[[noreturn]] void refuse(std::string_view text) {
  throw usage_error("filter: '" + shown(text) +
                    "' is no predicate; there are <V, <=V, >V, >=V, ==V, !=V and A..B");
}

template <class T>
T number(std::string_view part, std::string_view text) {
  T value{};
  const auto [end, failed] = std::from_chars(part.data(), part.data() + part.size(), value);
  if (failed == std::errc::result_out_of_range)
    throw usage_error("filter: '" + shown(part) + "' is out of the elements' range");
  if (failed != std::errc() || end != part.data() + part.size() || part.empty()) refuse(text);
  return value;
}

/// The smallest and the largest value that there is, and the neighbour of `x` in their direction;
/// `none` when x is the last in its direction.
template <class T>
struct limits {
  static constexpr T lowest = std::is_integral_v<T> ? std::numeric_limits<T>::lowest()
                                                    : -std::numeric_limits<T>::infinity();
  static constexpr T highest =
      std::is_integral_v<T> ? std::numeric_limits<T>::max() : std::numeric_limits<T>::infinity();
  static T below(T x) {
    if constexpr (std::is_integral_v<T>)
      return static_cast<T>(x - 1);
    else
      return std::nextafter(x, lowest);
  }
  static T above(T x) {
    if constexpr (std::is_integral_v<T>)
      return static_cast<T>(x + 1);
    else
      return std::nextafter(x, highest);
  }
};

}  // namespace

template <class T>
filter_interval<T> parse_filter(std::string_view text) {
  using l = limits<T>;
  // An interval with its ends crossed keeps nothing.
  constexpr filter_interval<T> nothing{T{1}, T{0}, false};
  const auto value = [&](std::size_t from) { return number<T>(text.substr(from), text); };
  if (text.starts_with("<=")) return {l::lowest, value(2), false};
  if (text.starts_with(">=")) return {value(2), l::highest, false};
  if (text.starts_with("==")) return {value(2), value(2), false};
  if (text.starts_with("!=")) return {value(2), value(2), true};
  if (text.starts_with('<')) {
    const T v = value(1);
    return v == l::lowest ? nothing : filter_interval<T>{l::lowest, l::below(v), false};
  }
  if (text.starts_with('>')) {
    const T v = value(1);
    return v == l::highest ? nothing : filter_interval<T>{l::above(v), l::highest, false};
  }
  const auto dots = text.find("..");
  if (dots == std::string_view::npos) refuse(text);
  return {number<T>(text.substr(0, dots), text), value(dots + 2), false};
}

template <class T>
std::vector<T> filter_part<T>::to_host() const {
  std::vector<T> all;
  for (const auto& p : pieces) {
    const auto at = all.size(), n = static_cast<std::size_t>(p.length);
    all.resize(at + n);
    const T* from = p.block < 0 ? values.data() : blocks[static_cast<std::size_t>(p.block)]->data();
    copy_bytes(all.data() + at, from + p.begin, n * sizeof(T));
  }
  return all;
}

#define GOSSAMER_FILTER(T)                                 \
  template std::vector<T> filter_part<T>::to_host() const; \
  template filter_interval<T> parse_filter(std::string_view);
GOSSAMER_FILTER_TYPES(GOSSAMER_FILTER)
#undef GOSSAMER_FILTER

}  // namespace gossamer
