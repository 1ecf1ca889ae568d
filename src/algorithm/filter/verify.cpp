// The verifier: a sequential pass over the input, which decides by comparisons of its own.
#include <algorithm>
#include <bit>
#include <charconv>
#include <string>
#include <type_traits>
#include <vector>

#include "gossamer/algorithm/filter.hpp"

namespace gossamer {

namespace {

template <class T>
std::string element_text(T x) {
  char text[64];
  const auto end = std::to_chars(text, text + sizeof text, x).ptr;
  return {text, end};
}

/// Compares runs of kept elements with those of the input, and counts how often each has come.
template <class T>
class kept_elements {
 public:
  kept_elements(std::span<const T> input, const filter_interval<T>& keep) : input_(input) {
    for (std::size_t i = 0; i < input.size(); ++i) {
      const bool inside = input[i] >= keep.low && input[i] <= keep.high;
      if (inside ? !keep.outside : keep.outside) places_.push_back(i);
    }
    met_.assign(places_.size(), 0);
  }

  [[nodiscard]] std::size_t count() const { return places_.size(); }
  /// How many are kept of the input before element i.
  [[nodiscard]] std::size_t before(std::int64_t i) const {
    return static_cast<std::size_t>(
        std::lower_bound(places_.begin(), places_.end(), static_cast<std::size_t>(i)) -
        places_.begin());
  }
  /// What is wrong with `values`, the kept elements from the first-th on; empty if nothing is.
  std::string compare(std::span<const T> values, std::size_t first) {
    for (std::size_t i = first; i < first + values.size(); ++i) {
      const T value = values[i - first];
      const std::string it = "kept element " + std::to_string(i);
      if (i >= places_.size())
        return it + " is " + element_text(value) + ", there is no such one in the input";
      // By their bits: copies have the input's zeros and NaNs.
      if (bits_of(value) != bits_of(input_[places_[i]]))
        return it + " is " + element_text(value) + ", the input has " +
               element_text(input_[places_[i]]) + " at " + std::to_string(places_[i]);
      if (met_[i]++ != 0) return it + " is there twice";
    }
    return "";
  }

 private:
  static auto bits_of(T value) {
    return std::bit_cast<std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>>(value);
  }

  std::span<const T> input_;
  std::vector<std::size_t> places_;
  std::vector<char> met_;
};

}  // namespace

template <class T>
filter_verification verify_filter(std::span<const T> input, const filter_interval<T>& keep,
                                  const filter_result<T>& result) {
  kept_elements<T> kept(input, keep);
  if (result.matched != static_cast<std::int64_t>(kept.count()))
    return {false, std::to_string(result.matched) + " elements are said to be kept, " +
                       std::to_string(kept.count()) + " should be"};
  std::size_t seen = 0;
  if (result.parts.empty()) {
    seen = result.values.size();
    if (const auto wrong = kept.compare(result.values.span(), 0); !wrong.empty())
      return {false, wrong};
  }
  for (const auto& part : result.parts) {
    const std::vector<T> values = part.to_host();
    std::size_t at = 0;
    for (const auto& p : part.pieces) {
      const auto length = static_cast<std::size_t>(p.length);
      const auto wrong = kept.compare(std::span(values).subspan(at, length), kept.before(p.input));
      if (!wrong.empty()) return {false, wrong};
      at += length;
    }
    seen += at;
  }
  if (seen != kept.count())
    return {false, std::to_string(seen) + " elements are there, " + std::to_string(kept.count()) +
                       " should be"};
  return {};
}

#define GOSSAMER_VERIFY_FILTER(T)                                                           \
  template filter_verification verify_filter(std::span<const T>, const filter_interval<T>&, \
                                             const filter_result<T>&);
GOSSAMER_VERIFY_FILTER(std::int32_t)
GOSSAMER_VERIFY_FILTER(std::int64_t)
GOSSAMER_VERIFY_FILTER(float)
GOSSAMER_VERIFY_FILTER(double)
#undef GOSSAMER_VERIFY_FILTER

}  // namespace gossamer
