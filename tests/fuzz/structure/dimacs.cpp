// Mutates DIMACS graphs (.gr) by their arcs and numbers; the problem line counts what follows.
#include <sstream>

#include "mutation.hpp"

namespace gossamer::fuzz {
namespace {

struct text {
  std::int64_t vertices = 2;
  std::vector<std::string> lines;  ///< behind the problem line

  static text example() {
    text made;
    made.lines = {"a 1 2 3", "a 2 1 4"};
    return made;
  }

  bool decode(std::string_view bytes) {
    std::istringstream in{std::string(bytes)};
    bool found = false;
    for (std::string line; std::getline(in, line);) {
      if (found) {
        lines.push_back(line);
      } else if (line.starts_with("p sp ")) {
        found = static_cast<bool>(std::istringstream(line.substr(5)) >> vertices);
      }
    }
    return found && lines.size() < 1000;
  }

  /// One of the numbers of a line becomes another.
  void change_number(mutation& by, std::string& line) const {
    std::vector<std::size_t> starts;
    const auto digit = [&](std::size_t i) { return line[i] >= '0' && line[i] <= '9'; };
    for (std::size_t i = 0; i < line.size(); ++i)
      if (digit(i) && (i == 0 || !digit(i - 1))) starts.push_back(i);
    if (starts.empty()) return by.bytes(line, 80);
    const std::size_t from = by.one_of(starts);
    std::size_t to = from;
    std::int64_t value = 0;
    for (; to < line.size() && digit(to) && to - from < 18; ++to)
      value = 10 * value + line[to] - '0';
    constexpr const char* words[] = {"0",
                                     "-1",
                                     "1.5",
                                     "1e308",
                                     "1e-320",
                                     "-0",
                                     "+2",
                                     "nan",
                                     "inf",
                                     "9223372036854775807",
                                     "9223372036854775808",
                                     "0x1"};
    std::string made = by.once_in(4) ? by.one_of(words)
                       : by.once_in(3)
                           ? std::to_string(by.number(value))
                           : std::to_string(1 + by.below(static_cast<std::size_t>(
                                                    std::clamp<std::int64_t>(vertices, 1, 1000))));
    line.replace(from, to - from, made);
  }

  void mutate(mutation& by, std::size_t) {
    const std::size_t count = lines.size();
    switch (by.below(8)) {
      case 0:
        vertices =
            by.once_in(3) ? by.number(vertices) : 1 + static_cast<std::int64_t>(by.below(20));
        return;
      case 1:
        if (count > 0) lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(by.below(count)));
        return;
      case 2:
        lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(by.below(count + 1)),
                     count > 0 && by.once_in(2) ? by.one_of(lines) : "a 1 1 1");
        return;
      case 3:
        if (count > 0) by.bytes(lines[by.below(count)], 80);
        return;
      case 4: {
        constexpr const char* odd[] = {"c said",   "",          "\r",        "p sp 2 2", "a",
                                       " a 1 2 3", "\ta 1 1 1", "a 1 2 3 4", "c"};
        lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(by.below(count + 1)),
                     by.one_of(odd));
        return;
      }
      default:
        if (count > 0) change_number(by, lines[by.below(count)]);
    }
  }

  std::string encode(mutation& by) const {
    std::int64_t arcs = 0;
    std::string body;
    for (const std::string& line : lines) {
      if (line.starts_with("a")) ++arcs;
      body += line + "\n";
    }
    if (by.once_in(10)) arcs = by.number(arcs);
    if (by.once_in(20) && !body.empty()) body.pop_back();
    return std::string(by.once_in(10) ? "c made\n" : "") + "p sp " + std::to_string(vertices) +
           " " + std::to_string(arcs) + "\n" + body;
  }
};

}  // namespace
}  // namespace gossamer::fuzz

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t most, unsigned seed) {
  return gossamer::fuzz::mutate_as<gossamer::fuzz::text>(data, size, most, seed);
}
