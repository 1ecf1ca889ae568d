// Entries of a description's tables, taken one by one and checked: what is left over is an error.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gossamer/base/error.hpp"
#include "gossamer/base/shown.hpp"
#include "machine/system/toml.hpp"

namespace gossamer::model {

/// No number of a description is larger: bytes fit their type, and sums of times stay finite.
constexpr double largest_number = 1e18;

/// Of one table; errors name the file (`where`) and the line.
class taker {
 public:
  taker(toml::table& from, const std::string& where) : from_(from), where_(where) {}
  ~taker() = default;

  [[noreturn]] void fail(int line, const std::string& why) const {
    throw input_error(where_ + ":" + std::to_string(line) + ": " + why);
  }
  /// Whether an optional key is given, which take() is asked for only then.
  bool has(std::string_view key) {
    if (from_.find(key) != nullptr) return true;
    asked_.emplace_back(key);
    return false;
  }
  std::optional<toml::entry> take(std::string_view key) {
    asked_.emplace_back(key);
    for (auto it = from_.entries.begin(); it != from_.entries.end(); ++it)
      if (it->key == key) {
        auto found = std::move(*it);
        from_.entries.erase(it);
        return found;
      }
    return std::nullopt;
  }
  std::string text(std::string_view key, std::optional<std::string> otherwise = {}) {
    const auto e = take(key);
    if (!e && otherwise) return *otherwise;
    if (!e) fail(from_.line, "key '" + std::string(key) + "' is missing");
    if (e->value.is != toml::value::type::text) fail(e->line, std::string(key) + ": expected text");
    return e->value.text;
  }
  double number(std::string_view key, std::optional<double> otherwise = {}, double least = 0) {
    const auto e = take(key);
    if (!e && otherwise) return *otherwise;
    if (!e) fail(from_.line, "key '" + std::string(key) + "' is missing");
    if (e->value.is != toml::value::type::number || !(e->value.number >= least))
      fail(e->line, std::string(key) + ": expected a number >= " + shown(least));
    check_size(*e, e->value.number);
    return e->value.number;
  }
  std::vector<double> numbers(std::string_view key, std::optional<std::size_t> length) {
    const auto e = take(key);
    if (!e) fail(from_.line, "key '" + std::string(key) + "' is missing");
    auto found = e->value.is == toml::value::type::numbers ? e->value.numbers
                                                           : std::vector<double>{e->value.number};
    if (e->value.is != toml::value::type::numbers && e->value.is != toml::value::type::number)
      fail(e->line, std::string(key) + ": expected numbers");
    if (length && found.size() != *length)
      fail(e->line, std::string(key) + ": expected " + std::to_string(*length) + " value" +
                        (*length == 1 ? "" : "s"));
    for (const double x : found) {
      if (!(x >= 0)) fail(e->line, std::string(key) + ": a number below 0");
      check_size(*e, x);
    }
    return found;
  }
  template <class Enum, std::size_t N>
  Enum choice(std::string_view key, const std::array<Enum, N>& all) {
    const auto e = take(key);
    if (!e) fail(from_.line, "key '" + std::string(key) + "' is missing");
    std::string names;
    for (const Enum one : all) {
      if (e->value.is == toml::value::type::text && e->value.text == to_string(one)) return one;
      names += (names.empty() ? "" : ", ") + std::string(to_string(one));
    }
    fail(e->line, std::string(key) + ": expected one of " + names);
  }
  void done() const {
    if (from_.entries.empty()) return;
    const auto& e = from_.entries.front();
    std::string known;
    for (const auto& key : asked_) known += (known.empty() ? "" : ", ") + key;
    fail(e.line, "unknown key '" + shown(e.key) + "'" +
                     (from_.name.empty() ? "" : " in table '" + from_.name + "'") +
                     " (known here: " + known + ")");
  }

 private:
  void check_size(const toml::entry& e, double x) const {
    if (x > largest_number)
      fail(e.line, e.key + ": " + shown(x) + " is above " + shown(largest_number));
  }

  toml::table& from_;
  const std::string& where_;
  std::vector<std::string> asked_;
};

}  // namespace gossamer::model
