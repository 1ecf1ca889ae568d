// json: text as JSON has it, for the few places that write JSON themselves.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>

namespace gossamer {

/// `text` in quotes, as a JSON string. It is taken to be UTF-8.
inline std::string json_string(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (static_cast<unsigned char>(c) >= 0x20) {
      out += c;
      continue;
    }
    char escape[7];
    std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(c));
    out += escape;
  }
  return out + '"';
}

}  // namespace gossamer
