// The one tokenizer of all text formats: blanks, unsigned ids, numbers, and exact complaints.
//
// Works on text that ends with '\n' (see text_stream.hpp), so scanning needs no end pointer. Matrix
// Market goes through it too, rather than through a library of its own: one tokenizer gives every
// text format the same streaming, the same threads and the same "FILE:LINE:" errors.
#pragma once

#include <charconv>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>

#include "gossamer/base/shown.hpp"

namespace gossamer::io {

/// A complaint about the text at `at`; the line number is found by counting newlines before it.
struct bad_text {
  const char* at;
  std::string message;
};

inline bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}
inline bool is_digit(char c) {
  return static_cast<unsigned char>(c - '0') <= 9;
}
inline void skip_blanks(const char*& p) {
  while (is_blank(*p)) ++p;
}
inline const char* line_end(const char* p) {
  while (*p != '\n') ++p;
  return p;
}

/// What separates a row's columns, and how often outside of quotes. Tabs win, then commas: columns
/// between tabs may hold commas. Semicolons are what spreadsheets write where commas are decimal.
struct separators {
  char which = ',';
  std::int64_t count = 0;
};
inline separators separators_of(std::string_view row) {
  separators commas, tabs{'\t'}, semicolons{';'};
  bool inside = false;
  for (char c : row) {
    inside ^= c == '"';
    if (inside) continue;
    commas.count += c == ',' ? 1 : 0;
    tabs.count += c == '\t' ? 1 : 0;
    semicolons.count += c == ';' ? 1 : 0;
  }
  return tabs.count > 0 ? tabs : commas.count > 0 || semicolons.count == 0 ? commas : semicolons;
}

/// The word at p for a message. Of this and what follows: `stop` ends a word, as blanks do.
inline std::string quoted_word(const char* p, char stop = '\n') {
  const char* end = p;
  while (!is_blank(*end) && *end != '\n' && *end != stop) ++end;
  if (end == p) return "the end of the line";
  return "'" + shown({p, static_cast<std::size_t>(end - p)}) + "'";
}

/// An id from 0 to 2^63 - 1. `what` names it in the message.
inline std::int64_t take_id(const char*& p, const char* what, char stop = '\n') {
  const char* start = p;
  std::uint64_t v = 0;
  for (unsigned d; (d = static_cast<unsigned char>(*p - '0')) <= 9; ++p) v = v * 10 + d;
  if (p == start) [[unlikely]] {
    if (*p == '-' && is_digit(p[1]))
      throw bad_text{start, std::string("negative ") + what + " " + quoted_word(start, stop)};
    throw bad_text{start, std::string("expected ") + what + ", found " + quoted_word(start, stop)};
  }
  if (p - start > 18) [[unlikely]] {
    const char* q = start;
    while (*q == '0' && q + 1 < p) ++q;
    // 19 digits cannot wrap 64 bits, so v is right when the length is at most that.
    if (p - q > 19 || v > static_cast<std::uint64_t>(INT64_MAX))
      throw bad_text{start,
                     std::string(what) + " " + quoted_word(start, stop) + " does not fit 63 bits"};
  }
  if (!is_blank(*p) && *p != '\n' && *p != stop) [[unlikely]]
    throw bad_text{start, std::string("expected ") + what + ", found " + quoted_word(start, stop)};
  return static_cast<std::int64_t>(v);
}

/// A number: an integer of at most 2^53 in size, which doubles hold exactly, or a decimal, "inf"
/// and "nan" among them. `what` names it in messages, `integer` says which it is.
inline double take_number(const char*& p, const char* what, bool& integer, char stop = '\n') {
  constexpr std::int64_t most = std::int64_t{1} << 53;
  const char* start = p;
  const char* digits = p + (*p == '-' || *p == '+');
  const char* q = digits;
  std::int64_t v = 0;
  for (unsigned d; (d = static_cast<unsigned char>(*q - '0')) <= 9 && v <= most; ++q)
    v = v * 10 + d;
  while (is_digit(*q)) ++q;
  if (q > digits && (is_blank(*q) || *q == '\n' || *q == stop)) {
    if (v > most)
      throw bad_text{start, what + (" " + quoted_word(start, stop)) + " is too large to be exact"};
    p = q;
    integer = true;
    return static_cast<double>(*start == '-' ? -v : v);
  }
  integer = false;
  const char* end = start;
  while (!is_blank(*end) && *end != '\n' && *end != stop) ++end;
  double value = 0;
  // from_chars takes a '-' itself, and no '+'.
  const auto [stopped, code] = std::from_chars(*start == '+' ? digits : start, end, value);
  if (code == std::errc::result_out_of_range)
    throw bad_text{start,
                   what + (" " + quoted_word(start, stop)) + " is outside the range of doubles"};
  if (code != std::errc() || stopped != end || (*start == '+' && *digits == '-'))
    throw bad_text{start,
                   std::string("expected a ") + what + ", found " + quoted_word(start, stop)};
  p = end;
  return value;
}

/// A number that is finite.
inline double take_weight(const char*& p, bool& integer, char stop = '\n') {
  const char* start = p;
  const double value = take_number(p, "weight", integer, stop);
  if (std::isnan(value)) throw bad_text{start, "weight is not a number (NaN)"};
  if (std::isinf(value)) throw bad_text{start, "weight is infinite"};
  return value;
}

/// Nothing but blanks may follow; p is left on the '\n'.
inline void expect_line_end(const char*& p) {
  skip_blanks(p);
  if (*p != '\n') [[unlikely]]
    throw bad_text{p, "unexpected " + quoted_word(p) + " at the end of the line"};
}

}  // namespace gossamer::io
