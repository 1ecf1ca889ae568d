// The strict subset of TOML that descriptions of systems use: comments, [tables], [[arrays of
// tables]], bare keys, strings without escapes, numbers, booleans, and arrays of numbers on one
// line. Whatever it takes, Python's tomllib reads the same.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace gossamer::toml {

struct value {
  enum class type { text, number, truth, numbers } is = type::number;
  std::string text;
  double number = 0;  ///< a truth is 0 or 1
  std::vector<double> numbers;
};

struct entry {
  std::string key;
  toml::value value;
  int line = 0;
};

struct table {
  std::string name;  ///< empty for the keys before the first header
  bool repeated = false;
  int line = 0;
  std::vector<entry> entries;
  [[nodiscard]] entry* find(std::string_view key);
};

/// Tables in the order of the text, the nameless one first. Throws input_error "WHERE:LINE: …".
std::vector<table> parse(std::string_view text, const std::string& where);
/// One value, as it stands behind a '='; words without quotes are taken as text when `lenient`.
/// False when it is none.
bool parse_value(std::string_view text, toml::value& into, bool lenient);

}  // namespace gossamer::toml
