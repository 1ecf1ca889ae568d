// The reader: one line, one statement.
#include "machine/system/toml.hpp"

#include <algorithm>
#include <charconv>

#include "gossamer/base/error.hpp"
#include "gossamer/base/shown.hpp"

namespace gossamer::toml {

namespace {

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

// Cuts a comment off; a '#' inside a string is none.
std::string_view without_comment(std::string_view line) {
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"') quoted = !quoted;
    if (line[i] == '#' && !quoted) return line.substr(0, i);
  }
  return line;
}

// As TOML has it, and no more than people see: tabs are the only control characters.
bool readable(std::string line) {
  std::replace(line.begin(), line.end(), '\t', ' ');
  return prints(line);
}

bool bare_key(std::string_view key) {
  return !key.empty() && key.find_first_not_of(
                             "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") ==
                             std::string_view::npos;
}

// TOML's numbers: no leading zeros, points between digits, underscores between digits.
bool parse_number(std::string_view text, double& into) {
  std::string digits;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool inner = i > 0 && i + 1 < text.size();
    const auto digit = [&](std::size_t at) { return text[at] >= '0' && text[at] <= '9'; };
    if (text[i] == '_' || text[i] == '.') {
      if (!inner || !digit(i - 1) || !digit(i + 1)) return false;
      if (text[i] == '_') continue;
    }
    digits += text[i];
  }
  const std::string_view body =
      std::string_view(digits).substr(!digits.empty() && digits[0] == '-' ? 1 : 0);
  if (body.empty() || body[0] < '0' || body[0] > '9') return false;
  if (body.size() > 1 && body[0] == '0' && body[1] >= '0' && body[1] <= '9') return false;
  const auto [end, failed] = std::from_chars(digits.data(), digits.data() + digits.size(), into);
  return failed == std::errc() && end == digits.data() + digits.size();
}

bool parse_numbers(std::string_view text, std::vector<double>& into) {
  text = trimmed(text.substr(1, text.size() - 2));
  into.clear();
  while (!text.empty()) {
    const auto comma = text.find(',');
    double number = 0;
    if (!parse_number(trimmed(text.substr(0, comma)), number)) return false;
    into.push_back(number);
    if (comma == std::string_view::npos) break;
    text = trimmed(text.substr(comma + 1));
  }
  return true;
}

}  // namespace

entry* table::find(std::string_view key) {
  for (auto& e : entries)
    if (e.key == key) return &e;
  return nullptr;
}

bool parse_value(std::string_view text, toml::value& into, bool lenient) {
  text = trimmed(text);
  into = {};
  if (text.size() >= 2 && text.front() == '"' && text.back() == '"') {
    into.is = value::type::text;
    into.text = text.substr(1, text.size() - 2);
    return into.text.find_first_of("\"\\") == std::string::npos;
  }
  if (text == "true" || text == "false") {
    into.is = value::type::truth;
    into.number = text == "true" ? 1 : 0;
    return true;
  }
  if (text.size() >= 2 && text.front() == '[' && text.back() == ']') {
    into.is = value::type::numbers;
    return parse_numbers(text, into.numbers);
  }
  if (parse_number(text, into.number)) return true;
  if (!lenient || !bare_key(text)) return false;
  into.is = value::type::text;
  into.text = text;
  return true;
}

std::vector<table> parse(std::string_view text, const std::string& where) {
  std::vector<table> tables(1);
  int number = 0;
  const auto fail = [&](const std::string& why) {
    throw input_error(where + ":" + std::to_string(number) + ": " + why);
  };
  while (!text.empty()) {
    const auto end = text.find('\n');
    auto line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    // A header is compared with all before it.
    constexpr int most_lines = 10000;
    if (++number > most_lines) fail("more than " + std::to_string(most_lines) + " lines");
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (!readable(std::string(line))) fail("a character that does not print, or no UTF-8");
    line = trimmed(without_comment(line));
    if (line.empty()) continue;
    if (line.front() == '[') {
      const bool repeated = line.substr(0, 2) == "[[";
      const std::size_t brackets = repeated ? 2 : 1;
      if (line.size() < 2 * brackets ||
          line.substr(line.size() - brackets) != (repeated ? "]]" : "]"))
        fail("a header that is not closed");
      const auto name = trimmed(line.substr(brackets, line.size() - 2 * brackets));
      if (!bare_key(name)) fail("expected [table] or [[table]] with a plain name");
      for (const auto& t : tables)
        if (t.name == name && !(repeated && t.repeated))
          fail("table '" + shown(name) + "' stands there already");
      tables.push_back({std::string(name), repeated, number, {}});
      continue;
    }
    const auto equals = line.find('=');
    if (equals == std::string_view::npos) fail("expected key = value");
    const auto key = trimmed(line.substr(0, equals));
    if (!bare_key(key)) fail("expected a plain key before '='");
    if (tables.back().find(key) != nullptr) fail("key '" + shown(key) + "' stands there already");
    entry e{std::string(key), {}, number};
    if (!parse_value(line.substr(equals + 1), e.value, false))
      fail("'" + shown(trimmed(line.substr(equals + 1))) +
           "' is no number, \"text\", truth value or [array of numbers]");
    tables.back().entries.push_back(std::move(e));
  }
  return tables;
}

}  // namespace gossamer::toml
