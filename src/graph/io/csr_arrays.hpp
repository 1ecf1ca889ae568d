// From CSR arrays as a binary file holds them to a graph: checked, narrowed, sorted, labelled.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "graph/io/image.hpp"
#include "graph/io/read_context.hpp"

namespace gossamer::io {

/// Copies `count` columns of width From into a fresh array of width To, checking the range 0..n-1.
/// `at(i)` is the byte position of entry i for the message.
template <class To, class From, class Position>
shared_array<To> take_columns(const char* from, std::int64_t count, std::int64_t n,
                              const read_context& context, Position&& at) {
  shared_array<To> out(static_cast<std::size_t>(count));
  auto watch = context.watch();
  for (std::int64_t i = 0; i < count; ++i) {
    watch.step();
    const From v = load<From>(from, i);
    if (v < From{0} || static_cast<std::uint64_t>(v) >= static_cast<std::uint64_t>(n))
      fail_at_byte(context.path, at(i),
                   "column " + std::to_string(v) + " is outside 0.." + std::to_string(n - 1));
    out[static_cast<std::size_t>(i)] = static_cast<To>(v);
  }
  return out;
}

/// False for what no weight can be: what is not finite, and whole numbers that doubles do not hold.
template <class From>
bool is_weight(From v) {
  if constexpr (std::is_floating_point_v<From>) {
    return std::isfinite(v);
  } else if constexpr (sizeof(From) < 8) {
    return true;
  } else {
    constexpr std::int64_t exact = std::int64_t{1} << 53;
    if constexpr (std::is_signed_v<From>)
      if (v < -exact) return false;
    return v <= static_cast<From>(exact);
  }
}

/// A file's weights of type From, block by block, so that the file need not be in memory. Floats
/// stay as they are. Whole numbers become int32, or doubles from the first larger one on: then all
/// that came before it widen in place, which is why there is room for doubles from the start. Their
/// limit is 2^53.
template <class From>
class file_weights {
  static constexpr bool real = std::is_floating_point_v<From>;
  static constexpr bool always_narrow =
      !real && (sizeof(From) < 4 || (sizeof(From) == 4 && std::is_signed_v<From>));

 public:
  /// What is wrong with a weight that add() refuses.
  static constexpr const char* complaint =
      real ? "weight is not a finite number (NaN or infinite)" : "weight is larger than 2^53";

  explicit file_weights(std::int64_t count)
      : kept_(static_cast<std::size_t>(count)), narrow_(!real) {}

  /// Returns how many of the next `n` were taken; the one behind those is refused.
  std::int64_t add(const char* from, std::int64_t n) {
    for (std::int64_t i = 0; i < n; ++i, ++taken_) {
      const From v = load<From>(from, i);
      if (!is_weight(v)) return i;
      if constexpr (real) {
        put(taken_, v);
      } else if constexpr (always_narrow) {
        put(taken_, static_cast<std::int32_t>(v));
      } else {
        const auto whole = static_cast<std::int64_t>(v);
        if (narrow_ && (whole < INT32_MIN || whole > INT32_MAX)) widen();
        if (narrow_)
          put(taken_, static_cast<std::int32_t>(whole));
        else
          put(taken_, static_cast<double>(whole));
      }
    }
    return n;
  }
  /// All of them.
  [[nodiscard]] weight_array done() const {
    if constexpr (real || always_narrow) {
      return kept_;
    } else {
      if (!narrow_) return kept_;
      return shared_array<std::int32_t>(reinterpret_cast<std::int32_t*>(kept_.data()), kept_.size(),
                                        kept_.owner());
    }
  }

 private:
  using kept =
      std::conditional_t<real, From, std::conditional_t<always_narrow, std::int32_t, double>>;
  template <class T>
  void put(std::int64_t i, T value) {
    std::memcpy(reinterpret_cast<char*>(kept_.data()) + i * static_cast<std::int64_t>(sizeof(T)),
                &value, sizeof(T));
  }
  void widen() {
    narrow_ = false;
    for (std::int64_t i = taken_; i-- > 0;)
      put(i,
          static_cast<double>(load<std::int32_t>(reinterpret_cast<const char*>(kept_.data()), i)));
  }

  shared_array<kept> kept_;
  std::int64_t taken_ = 0;
  bool narrow_;
};

/// Labels the graph, sorts its rows when needed, applies the build options, settles `symmetric`.
/// Offsets and columns must have been checked.
graph finish_csr(graph g, const read_context& context);
/// The last two of these steps: the graph's arrays are not written to.
graph apply_build(graph g, const read_context& context);

}  // namespace gossamer::io
