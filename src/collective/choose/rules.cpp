// Parses, prints and merges rules. Errors name the source, line and column.
#include "gossamer/collective/rules.hpp"

#include <cctype>
#include <filesystem>
#include <system_error>

#include "gossamer/base/error.hpp"
#include "gossamer/base/input_file.hpp"
#include "gossamer/base/shown.hpp"

namespace gossamer {

namespace {

/// Reads the text front to back and knows where it is, for messages.
class reader {
 public:
  reader(std::string_view text, std::string_view source) : text_(text), source_(source) {}

  /// Blanks and comments; with `lines` also line ends and semicolons.
  void skip(bool lines) {
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == '#')
        while (at_ + 1 < text_.size() && text_[at_ + 1] != '\n') ++at_;
      else if (!(c == ' ' || c == '\t' || c == '\r' || (lines && (c == '\n' || c == ';'))))
        return;
    }
  }
  [[nodiscard]] bool done() const { return at_ == text_.size(); }
  bool take(char c) {
    skip(false);
    if (done() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!take(c)) fail(std::string("expected '") + c + "'");
  }
  std::string_view word() {
    skip(false);
    const std::size_t from = at_;
    while (!done() && (std::isalnum(static_cast<unsigned char>(text_[at_])) || text_[at_] == '_'))
      ++at_;
    return text_.substr(from, at_ - from);
  }
  [[nodiscard]] std::size_t place() const { return at_; }
  void back_to(std::size_t place) { at_ = place; }

  [[noreturn]] void fail(const std::string& what) const {
    std::size_t line = 1, column = 1;
    for (std::size_t i = 0; i < at_; ++i) {
      ++column;
      if (text_[i] == '\n') ++line, column = 1;
    }
    std::string there = "the end";
    if (!done())
      there = "'" + shown(text_.substr(at_, text_.find_first_of(" \n;,", at_) - at_)) + "'";
    if (!done() && there == "''")
      there = text_[at_] == '\n' ? "the line's end" : "'" + shown(text_.substr(at_, 1)) + "'";
    throw usage_error(std::string(source_) + ":" + std::to_string(line) + ":" +
                      std::to_string(column) + ": " + what + ", found " + there);
  }

 private:
  std::string_view text_, source_;
  std::size_t at_ = 0;
};

std::size_t parse_size(reader& in) {
  in.skip(false);
  const auto start = in.place();
  std::string text(in.word());
  if (text == "inf") return selection_rules::no_end;
  std::size_t value = 0, digits = 0;
  while (digits < text.size() && std::isdigit(static_cast<unsigned char>(text[digits])) &&
         value < (std::size_t{1} << 40))
    value = value * 10 + static_cast<std::size_t>(text[digits++] - '0');
  int shift = 0;
  const std::string unit = text.substr(digits);
  if (unit == "k" || unit == "K") shift = 10;
  if (unit == "m" || unit == "M") shift = 20;
  if (unit == "g" || unit == "G") shift = 30;
  const bool fits = value <= (selection_rules::no_end - 1) >> shift;
  if (digits == 0 || (shift == 0 && !unit.empty()) || !fits) {
    in.back_to(start);
    in.fail("expected a size (4096, 4k, 1m, inf)");
  }
  return value << shift;
}

std::string print_size(std::size_t n) {
  if (n == selection_rules::no_end) return "inf";
  for (const auto& [shift, unit] : {std::pair{30, "g"}, {20, "m"}, {10, "k"}})
    if (n != 0 && n % (std::size_t{1} << shift) == 0) return std::to_string(n >> shift) + unit;
  return std::to_string(n);
}

bool known(collective_op op, std::string_view name) {
  for (const auto& some : {collective_algorithms(), library_algorithms()})
    for (const auto& a : some)
      if (a.op == op && a.name == name) return true;
  return false;
}

std::string names(collective_op op) {
  std::string all;
  for (const auto& some : {collective_algorithms(), library_algorithms()})
    for (const auto& a : some)
      if (a.op == op) all += (all.empty() ? "" : ", ") + std::string(a.name);
  return all;
}

collective_op parse_op(reader& in) {
  const auto start = in.place();
  const auto name = in.word();
  try {
    return parse_collective_op(name);
  } catch (const usage_error& e) {
    in.back_to(start);
    in.fail(name.empty() ? "expected an operation" : e.what());
  }
}

/// One range of an operation: "4k-inf:@ring", where the one before ends at `begin`.
selection_rules::range parse_range(reader& in, collective_op op, std::size_t begin) {
  in.skip(false);
  const auto from_at = in.place();
  if (parse_size(in) != begin) {
    in.back_to(from_at);
    in.fail("expected a range from " + print_size(begin));
  }
  in.expect('-');
  in.skip(false);
  const auto end_at = in.place();
  const std::size_t end = parse_size(in);
  if (end <= begin) {
    in.back_to(end_at);
    in.fail("expected an end above " + print_size(begin));
  }
  in.expect(':');
  in.expect('@');
  const auto name_at = in.place();
  const auto algorithm = in.word();
  if (!known(op, algorithm)) {
    in.back_to(name_at);
    in.fail("expected an algorithm of " + std::string(name_of(op)) + " (" + names(op) + ")");
  }
  return {end, std::string(algorithm)};
}

}  // namespace

selection_rules selection_rules::parse(std::string_view text, std::string_view source) {
  selection_rules rules;
  reader in(text, source);
  for (in.skip(true); !in.done(); in.skip(true)) {
    const collective_op op = parse_op(in);
    in.expect(':');
    std::vector<range> ranges;
    do ranges.push_back(parse_range(in, op, ranges.empty() ? 0 : ranges.back().end));
    while (in.take(','));
    if (ranges.back().end != no_end) in.fail("expected a range up to inf");
    in.skip(false);
    rules.ranges_[static_cast<int>(op)] = std::move(ranges);
    const auto before = in.place();
    in.skip(true);
    if (in.place() == before && !in.done()) in.fail("expected ',' or ';'");
  }
  return rules;
}

selection_rules selection_rules::read(const std::string& path) {
  std::error_code unknown;
  if (!std::filesystem::exists(path, unknown))
    throw input_error(path + ": cannot be read as rules for collectives");
  return parse(read_text(path, "a list of rules"), path);
}

std::string selection_rules::text() const {
  std::string all;
  for (int op = 0; op < collective_ops; ++op) {
    if (ranges_[op].empty()) continue;
    all += std::string(name_of(static_cast<collective_op>(op))) + ":";
    std::size_t from = 0;
    for (const auto& r : ranges_[op]) {
      all +=
          (from == 0 ? "" : ",") + print_size(from) + "-" + print_size(r.end) + ":@" + r.algorithm;
      from = r.end;
    }
    all += '\n';
  }
  return all;
}

std::string_view selection_rules::algorithm(collective_op op, std::size_t bytes) const {
  for (const auto& r : ranges_[static_cast<int>(op)])
    if (bytes < r.end || r.end == no_end) return r.algorithm;
  return {};
}

void selection_rules::set(collective_op op, std::vector<range> ranges) {
  std::size_t end = 0;
  for (const auto& r : ranges) {
    require(r.end > end, "rules: ranges must rise");
    require(known(op, r.algorithm),
            std::string(name_of(op)) + ": no algorithm '" + r.algorithm + "'");
    end = r.end;
  }
  require(ranges.empty() || end == no_end, "rules: the last range must have no end");
  ranges_[static_cast<int>(op)] = std::move(ranges);
}

void selection_rules::override_with(const selection_rules& over) {
  for (int op = 0; op < collective_ops; ++op)
    if (!over.ranges_[op].empty()) ranges_[op] = over.ranges_[op];
}

}  // namespace gossamer
