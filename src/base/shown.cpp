// UTF-8, taken apart as RFC 3629 has it: no longer forms than needed, no surrogates.
#include "gossamer/base/shown.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>

namespace gossamer {

namespace {

/// Bytes of the character that `text` begins with; 0 where that is none.
std::size_t take_character(std::string_view text, std::uint32_t& character) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned first = byte(0);
  if (first < 0x80) {
    character = first;
    return 1;
  }
  const std::size_t bytes = first < 0xc2   ? 0
                            : first < 0xe0 ? 2
                            : first < 0xf0 ? 3
                            : first < 0xf5 ? 4
                                           : 0;
  if (bytes == 0 || text.size() < bytes) return 0;
  character = first & (0x7fu >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
    character = character << 6 | (byte(i) & 0x3f);
  }
  constexpr std::uint32_t least[] = {0x80, 0x800, 0x10000};
  if (character < least[bytes - 2] || character > 0x10ffff) return 0;
  return character >= 0xd800 && character < 0xe000 ? 0 : bytes;
}

/// Controls, ends of lines and paragraphs, what has no width, and marks of direction do not.
bool has_shape(std::uint32_t c) {
  const auto within = [&](std::uint32_t first, std::uint32_t last) {
    return c >= first && c <= last;
  };
  return !(c < 0x20 || within(0x7f, 0x9f) || within(0x200b, 0x200f) || within(0x2028, 0x202e) ||
           within(0x2060, 0x206f) || c == 0xfeff || within(0xfff0, 0xfffb));
}

}  // namespace

std::string shown(std::string_view text, std::size_t most) {
  std::string out;
  while (!text.empty()) {
    std::uint32_t character = 0;
    const std::size_t bytes = take_character(text, character);
    const bool whole = bytes > 0 && has_shape(character);
    if (out.size() + (whole ? bytes : 1) > most) break;
    if (whole)
      out += text.substr(0, bytes);
    else
      out += '?';
    text.remove_prefix(std::max<std::size_t>(bytes, 1));
  }
  return out;
}

std::string shown(double number) {
  char text[32];
  return {text, static_cast<std::size_t>(std::snprintf(text, sizeof text, "%.6g", number))};
}

bool prints(std::string_view text) {
  return shown(text, text.size()) == text;
}

}  // namespace gossamer
