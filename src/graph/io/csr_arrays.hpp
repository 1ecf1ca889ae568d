// From CSR arrays as a binary file holds them to a graph: checked, narrowed, sorted, labelled.
#pragma once

#include <cstdint>
#include <functional>

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

/// Whole numbers as int32 weights, or as doubles when one is larger; 2^53 is the limit. False when
/// entry `bad` is beyond that.
template <class From>
bool take_whole_weights(const char* from, std::int64_t count, weight_array& out,
                        std::int64_t& bad) {
  bool narrow = true;
  constexpr std::int64_t exact = std::int64_t{1} << 53;
  for (std::int64_t i = 0; i < count; ++i) {
    const From v = load<From>(from, i);
    if constexpr (sizeof(From) == 8) {
      bool fits = v <= static_cast<From>(exact);
      if constexpr (std::is_signed_v<From>) fits = fits && v >= -exact;
      if (!fits) {
        bad = i;
        return false;
      }
    }
    if constexpr (sizeof(From) >= 4)
      narrow = narrow && static_cast<std::int64_t>(v) >= INT32_MIN &&
               static_cast<std::int64_t>(v) <= INT32_MAX;
  }
  if (narrow) {
    shared_array<std::int32_t> w(static_cast<std::size_t>(count));
    for (std::int64_t i = 0; i < count; ++i)
      w[static_cast<std::size_t>(i)] = static_cast<std::int32_t>(load<From>(from, i));
    out = w;
  } else {
    shared_array<double> w(static_cast<std::size_t>(count));
    for (std::int64_t i = 0; i < count; ++i)
      w[static_cast<std::size_t>(i)] = static_cast<double>(load<From>(from, i));
    out = w;
  }
  return true;
}

/// Floats as they are; returns the first entry that is not finite, -1 when there is none.
template <class T>
std::int64_t take_real_weights(const char* from, std::int64_t count, weight_array& out) {
  shared_array<T> w(static_cast<std::size_t>(count));
  if (count > 0) std::memcpy(w.data(), from, static_cast<std::size_t>(count) * sizeof(T));
  out = w;
  for (std::int64_t i = 0; i < count; ++i)
    if (!(w[static_cast<std::size_t>(i)] - w[static_cast<std::size_t>(i)] == T{0})) return i;
  return -1;
}

/// Labels the graph, sorts its rows when needed, applies the build options, settles `symmetric`.
/// Offsets and columns must have been checked. `symmetric_known`: a trusted file says so.
graph finish_csr(graph g, const read_context& context, bool symmetric_known = false);

}  // namespace gossamer::io
