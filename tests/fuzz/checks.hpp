// What every fuzzer asks of an error, and of what was taken.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

#include "gossamer/base/shown.hpp"

namespace gossamer::fuzz {

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

/// Ends the run, and libFuzzer keeps the input.
[[noreturn]] inline void fail(std::string_view what, std::string_view about = {}) {
  std::fprintf(stderr, "fuzz: %.*s: %.*s\n", static_cast<int>(what.size()), what.data(),
               static_cast<int>(about.size()), about.data());
  __builtin_trap();
}

inline void expect(bool holds, std::string_view what, std::string_view about = {}) {
  if (!holds) fail(what, about);
}

/// No message is longer, whatever was read: lists of known names are the longest part.
constexpr std::size_t longest_message = 2000;

/// One line that prints, of bounded length.
inline void check_message(std::string_view text) {
  expect(!text.empty() && text.size() <= longest_message, "a message's length",
         text.substr(0, longest_message));
  expect(prints(text), "a message that does not print", text);
}

}  // namespace gossamer::fuzz
