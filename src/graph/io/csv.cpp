// CSV and TSV: an edge a row, in columns that a header names or in the first two or three.
//
// Fields are those of RFC 4180 ("a,b" in quotes, doubled quotes, CRLF), but for two things: a row
// is a line, since blocks are cut at line ends, and blanks around a field that is not quoted are no
// part of it. Ends of edges are numbers when those of the first row are, in the form of edge lists
// (edge_list.cpp); else texts, numbered in the order in which they come, which one thread does.
#include <algorithm>
#include <array>
#include <charconv>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gossamer/graph/edge_table.hpp"
#include "graph/io/name_table.hpp"
#include "graph/io/parse_parts.hpp"
#include "graph/io/readers.hpp"
#include "graph/io/sparse_ids.hpp"

namespace gossamer::io {
namespace {

constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
/// Of rows from which sizes are estimated.
constexpr std::size_t row_sample = 1 << 20;

enum class role : std::uint8_t { ignored, source, target, weight };

struct row_layout {
  char separator = ',';
  bool names = false;         ///< ends are texts
  bool weighted = false;      ///< some column is the weight
  std::vector<role> columns;  ///< up to the last that is not ignored
  /// What it is called in messages.
  [[nodiscard]] std::string_view name(role r) const { return titles[static_cast<std::size_t>(r)]; }
  std::array<std::string, 4> titles{"", "source", "target", "weight"};
};

/// Blanks that are no separator; a lone '\r' among them.
void skip_padding(const char*& p, char separator) {
  while (is_blank(*p) && *p != separator) ++p;
}

/// The '"' that ends the text from p, which stands behind the first.
const char* closing_quote(const char* p) {
  const char* start = p;
  while (true) {
    while (*p != '"' && *p != '\n') ++p;
    if (*p == '\n')
      throw bad_text{start,
                     "a quote has no end in its line (fields of several lines are not read)"};
    if (p[1] != '"') return p;
    p += 2;
  }
}

/// Leaves p at a separator or at the line's end, where a field has ended.
void end_field(const char*& p, char separator) {
  skip_padding(p, separator);
  if (*p != separator && *p != '\n') [[unlikely]]
    throw bad_text{p, "unexpected " + quoted_word(p, separator) + " at the end of a field"};
}

/// The text of a field; `unquoted` holds it where quotes are doubled.
std::string_view take_text(const char*& p, char separator, std::string& unquoted) {
  skip_padding(p, separator);
  const char* start = p;
  if (*p != '"') {
    while (*p != separator && *p != '\n') ++p;
    const char* end = p;
    while (end > start && is_blank(end[-1])) --end;
    return {start, static_cast<std::size_t>(end - start)};
  }
  const char* close = closing_quote(++start);
  p = close + 1;
  end_field(p, separator);
  const std::string_view text(start, static_cast<std::size_t>(close - start));
  if (text.find('"') == std::string_view::npos) return text;
  unquoted.clear();
  for (std::size_t i = 0; i < text.size(); i += text[i] == '"' ? 2 : 1) unquoted += text[i];
  return unquoted;
}

void skip_field(const char*& p, char separator) {
  skip_padding(p, separator);
  if (*p == '"') [[unlikely]] {
    p = closing_quote(p + 1) + 1;
    return end_field(p, separator);
  }
  while (*p != separator && *p != '\n') ++p;
}

/// Parses lines; called by several threads when ends are numbers.
class row_parser {
 public:
  row_parser(const row_layout& layout, name_table& names) : layout_(layout), names_(names) {}

 private:
  [[noreturn]] void fail_missing(const char* at, std::size_t column) const {
    role is = layout_.columns[column];
    while (is == role::ignored) is = layout_.columns[++column];
    throw bad_text{at, "no value in column '" + std::string(layout_.name(is)) + "'"};
  }
  /// A field that take(stop) takes, in quotes or not.
  template <class Take>
  auto number(const char*& p, std::size_t column, const Take& take) const {
    const char sep = layout_.separator;
    skip_padding(p, sep);
    const bool quoted = *p == '"';
    p += quoted ? 1 : 0;
    if (*p == (quoted ? '"' : sep) || *p == '\n') [[unlikely]]
      fail_missing(p, column);
    const auto value = take(quoted ? '"' : sep);
    if (quoted) {
      skip_blanks(p);
      if (*p != '"') throw bad_text{p, "unexpected " + quoted_word(p, '"') + " in quotes"};
      ++p;
    }
    end_field(p, sep);
    return value;
  }
  std::int64_t id(const char*& p, std::size_t column) const {
    return number(p, column, [&](char stop) {
      if (!is_digit(*p) && *p != '-') [[unlikely]]
        throw bad_text{p, "expected vertex id, found " + quoted_word(p, stop) +
                              " (ids are numbers, as in the first row)"};
      return take_id(p, "vertex id", stop);
    });
  }
  std::int64_t named(const char*& p, std::size_t column, std::string& unquoted) const {
    const std::string_view text = take_text(p, layout_.separator, unquoted);
    if (text.empty()) fail_missing(p, column);
    return names_.number_of(text);
  }
  const row_layout& layout_;
  name_table& names_;

 public:
  void operator()(const text_part& part, parsed_edges& out) const {
    std::string unquoted;
    const char sep = layout_.separator;
    for (const char* p = part.begin; p < part.end; ++p) {
      if (!is_digit(*p)) [[unlikely]] {
        if (std::string_view(p, part.end).starts_with(byte_order_mark)) p += byte_order_mark.size();
        skip_padding(p, sep);
        if (*p == '\n') continue;
      }
      std::int64_t u = 0, v = 0;
      double w = 0;
      bool whole = false;
      for (std::size_t i = 0; i < layout_.columns.size(); ++i) {
        if (i > 0) {
          if (*p == '\n') fail_missing(p, i);
          ++p;
        }
        const role is = layout_.columns[i];
        if (is == role::ignored)
          skip_field(p, sep);
        else if (is == role::weight)
          w = number(p, i, [&](char stop) { return take_weight(p, whole, stop); });
        else
          (is == role::source ? u : v) = layout_.names ? named(p, i, unquoted) : id(p, i);
      }
      if (layout_.weighted)
        out.add(u, v, w, whole);
      else
        out.add(u, v);
      while (*p != '\n') skip_field(++p, sep);
    }
  }
};

/// The fields of a line.
std::vector<std::string> fields_of(const char* p, char separator) {
  std::vector<std::string> out;
  std::string unquoted;
  while (true) {
    out.emplace_back(take_text(p, separator, unquoted));
    if (*p == '\n') return out;
    ++p;
  }
}

bool is_number(const std::string& field) {
  if (field.find_first_of("0123456789") == std::string::npos) return false;
  const char *begin = field.data(), *end = begin + field.size();
  double value = 0;
  return std::from_chars(begin + (*begin == '+' ? 1 : 0), end, value).ptr == end;
}

void give(row_layout& layout, const std::vector<std::string>& header, std::int64_t column,
          role is) {
  if (column < 0) return;
  const auto at = static_cast<std::size_t>(column);
  if (layout.columns.size() <= at) layout.columns.resize(at + 1, role::ignored);
  layout.columns[at] = is;
  if (!header[at].empty()) layout.titles[static_cast<std::size_t>(is)] = shown(header[at]);
}

/// Takes blank lines, and comments while `comments`; false at the end of the file.
bool find_row(text_stream& in, std::string_view& line, bool comments) {
  while (in.peek_line(line)) {
    const auto first = line.find_first_not_of(" \t\r");
    if (first != std::string_view::npos &&
        !(comments && (line[first] == '#' || line[first] == '%')))
      return true;
    in.next_line(line);
  }
  return false;
}

[[noreturn]] void fail_empty(const text_stream& in) {
  in.fail_at(std::max<std::int64_t>(1, in.next_line_number() - 1),
             in.next_line_number() == 1 ? "the file is empty"
                                        : "the graph has no edges and so no vertices");
}

/// Takes a header, and says how rows are read.
row_layout take_header(text_stream& in) {
  std::string_view line;
  if (!find_row(in, line, true)) fail_empty(in);
  row_layout layout;
  layout.separator = separators_of(line).which;
  std::vector<std::string> fields;
  const auto look = [&] {
    if (line.starts_with(byte_order_mark)) line.remove_prefix(byte_order_mark.size());
    try {
      fields = fields_of(line.data(), layout.separator);
    } catch (const bad_text& e) {
      in.fail_at(in.next_line_number(), e.message);
    }
  };
  look();
  const column_names& asked = in.context().options.columns;
  // Numbers are no names of columns: a third one is the weight of an edge between two texts.
  const bool weighted = fields.size() > 2 && is_number(fields[2]);
  const bool ids = fields.size() > 1 && is_number(fields[0]) && is_number(fields[1]);
  const bool headless = ids || (weighted && !is_number(fields[0]) && !is_number(fields[1]) &&
                                std::ranges::none_of(fields, is_usual_end));
  if (headless && asked.any())
    throw usage_error(in.context().path + ": columns have no names: the first row has an edge (" +
                      shown(line) + ")");
  if (headless) {
    layout.names = !ids;
    layout.weighted = weighted;
    layout.columns = {role::source, role::target};
    if (layout.weighted) layout.columns.push_back(role::weight);
    return layout;
  }
  try {
    const edge_columns found = find_edge_columns(fields, asked);
    give(layout, fields, found.source, role::source);
    give(layout, fields, found.target, role::target);
    give(layout, fields, found.weight, role::weight);
    layout.weighted = found.weight >= 0;
  } catch (const input_error& e) {
    in.fail_at(in.next_line_number(), e.what());
  } catch (const usage_error& e) {
    throw usage_error(in.context().path + ": " + e.what());
  }
  in.next_line(line);
  if (!find_row(in, line, false)) fail_empty(in);
  look();
  for (std::size_t i = 0; i < std::min(fields.size(), layout.columns.size()); ++i) {
    const bool end = layout.columns[i] == role::source || layout.columns[i] == role::target;
    layout.names |= end && !fields[i].empty() && !is_number(fields[i]);
  }
  return layout;
}

/// The plan before all rows are read, by the first of them.
read_plan estimate(const text_stream& in, std::string_view rows, const row_layout& layout) {
  rows = rows.substr(0, row_sample);
  rows = rows.substr(0, rows.rfind('\n') + 1);
  const std::size_t half = rows.find('\n', rows.size() / 2) + 1;
  parsed_edges seen;
  name_table names;
  // Names come less often the more are known: the second half says how often.
  std::int64_t edges = 0, largest = 0, name_bytes = 0, known = 0;
  bool real = false;
  for (const auto part : {rows.substr(0, half), rows.substr(half)}) {
    known = name_bytes;
    seen.reset(part.size() / 2 + 2, layout.weighted);
    try {
      row_parser(layout, names)({part.data(), part.data() + part.size(), 0}, seen);
    } catch (const bad_text&) {  // said when all are read, with its line
    }
    edges += static_cast<std::int64_t>(seen.count);
    for (std::size_t i = 0; i < seen.count; ++i)
      largest = std::max({largest, seen.edges[i].source, seen.edges[i].target});
    real |= !seen.int32_weights;
    name_bytes = names.bytes();
  }
  const double times = std::max(1.0, static_cast<double>(in.estimated_text_bytes()) /
                                         std::max(1.0, static_cast<double>(rows.size())));
  const auto all =
      static_cast<std::int64_t>(static_cast<double>(std::max<std::int64_t>(1, edges)) * times);
  const int weight_bytes = !layout.weighted ? 0 : real ? 8 : 4;
  read_plan plan;
  if (layout.names) {
    plan = in.context().edge_plan(1, all, weight_bytes, true);
    plan.vertices = 0;
    plan.items.push_back({"vertex names", name_bytes + static_cast<std::int64_t>(
                                                           static_cast<double>(name_bytes - known) *
                                                           2 * (times - 1))});
  } else {
    plan = plan_sparse(in.context(), all, largest, weight_bytes);
  }
  plan.estimated = true;
  return plan;
}

}  // namespace

graph read_csv(text_stream& in) {
  const row_layout layout = take_header(in);
  const read_context& context = in.context();
  context.settle_estimate(estimate(in, in.sample(), layout));

  edge_sink sink(context, layout.weighted, false);
  name_table names;
  const row_parser parse(layout, names);
  parse_body(in, sink, {.weighted = layout.weighted, .in_order = layout.names},
             [&](const text_part& part, parsed_edges& out) {
               parse(part, out);
               if (!layout.names) return;
               read_plan plan = context.edge_plan(
                   std::max<std::int64_t>(1, names.size()),
                   sink.edges() + static_cast<std::int64_t>(out.count), sink.weight_bytes(), false);
               plan.items.push_back({"vertex names", names.bytes()});
               context.refuse_if_over(plan);
             });
  if (sink.edges() == 0) fail_empty(in);
  if (layout.names) {
    const std::int64_t n = names.size();
    vertex_names named;
    named.texts = std::make_shared<const std::vector<std::string>>(names.take());
    return sink.finish(n, std::move(named));
  }
  auto [n, named] = renumbered(sink, largest_id(sink), context);
  return sink.finish(n, std::move(named));
}

}  // namespace gossamer::io
