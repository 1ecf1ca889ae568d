// SNAP edge lists: "u v" or "u v weight" a line, comments with # or %, any non-negative ids.
//
// Ids need not be dense: the distinct ones are renumbered in ascending order and the map is kept.
// When they are exactly 0..n-1 there is no map. The counts in a comment "# Nodes: N Edges: M" are
// checked, since they are all that tells a truncated file from a whole one; when every id is below
// N, the ids stand as they are and those that no edge names are isolated vertices.
#include <algorithm>
#include <optional>

#include "graph/io/parse_parts.hpp"
#include "graph/io/readers.hpp"
#include "graph/io/sparse_ids.hpp"

namespace gossamer::io {
namespace {

struct counts {
  std::optional<std::int64_t> nodes, edges;
  std::int64_t line = 0;
};

// The number after "Word:" in a comment.
std::optional<std::int64_t> number_after(std::string_view line, std::string_view word) {
  const auto at = line.find(word);
  if (at == std::string_view::npos) return {};
  const char* p = line.data() + at + word.size();
  while (*p == ' ' || *p == '\t') ++p;
  const char* end = line.data() + line.size();
  std::int64_t v = 0;
  const auto [stopped, code] = std::from_chars(p, end, v);
  return code == std::errc() && stopped > p && v >= 0 ? std::optional(v) : std::nullopt;
}

/// What the first lines say of all.
struct first_lines {
  std::int64_t edges = 0, largest = 0;
  bool real = false;  ///< some weight is not a whole number
};

first_lines look_at(std::string_view text) {
  first_lines seen;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const char *p = line.data(), *const stop = p + line.size();
    std::int64_t id = 0;
    int words = 0;
    for (; words < 2; ++words) {
      while (p < stop && is_blank(*p)) ++p;
      const auto [next, code] = std::from_chars(p, stop, id);
      if (code != std::errc() || id < 0) break;
      seen.largest = std::max(seen.largest, id);
      p = next;
    }
    if (words < 2) continue;  // a comment, what is wrong, or a line that is not whole
    ++seen.edges;
    seen.real |= std::string_view(p, stop).find_first_of(".eE") != std::string_view::npos;
  }
  return seen;
}

}  // namespace

graph read_edge_list(text_stream& in) {
  counts header;
  std::string_view line;
  while (in.peek_line(line)) {
    const auto first = line.find_first_not_of(" \t\r");
    if (first != std::string_view::npos && line[first] != '#' && line[first] != '%') break;
    in.next_line(line);
    const auto nodes = number_after(line, "Nodes:"), edges = number_after(line, "Edges:");
    if (nodes || edges) header.line = in.next_line_number() - 1;
    if (nodes) header.nodes = nodes;
    if (edges) header.edges = edges;
  }
  if (!in.peek_line(line)) {
    in.fail_at(std::max<std::int64_t>(1, in.next_line_number() - 1),
               in.next_line_number() == 1 ? "the file is empty"
                                          : "the graph has no edges and so no vertices");
  }
  // The first edge says how many columns all of them have.
  int columns = 0;
  for (std::size_t i = 0; i < line.size(); ++i)
    columns += !is_blank(line[i]) && (i + 1 == line.size() || is_blank(line[i + 1]));
  if (columns < 2 || columns > 3)
    in.fail_at(in.next_line_number(),
               "expected 2 or 3 columns (u v [weight]), found " + std::to_string(columns));
  const bool weighted = columns == 3;

  const read_context& context = in.context();
  const std::string_view sample = in.sample();
  const first_lines seen = look_at(sample);
  const auto guess = static_cast<std::int64_t>(
      static_cast<double>(std::max<std::int64_t>(1, seen.edges)) /
      static_cast<double>(sample.size()) * static_cast<double>(in.estimated_text_bytes()));
  read_plan plan = plan_sparse(context, header.edges.value_or(guess), seen.largest,
                               !weighted   ? 0
                               : seen.real ? 8
                                           : 4,
                               header.nodes);
  plan.estimated = !header.edges;
  context.settle_estimate(plan);

  edge_sink sink(context, weighted, false);
  parse_body(in, sink, {.weighted = weighted},
             [weighted](const text_part& part, parsed_edges& out) {
               for (const char* p = part.begin; p < part.end; ++p) {
                 skip_blanks(p);
                 if (!is_digit(*p)) {
                   if (*p == '\n') continue;
                   if (*p == '#' || *p == '%') {
                     p = line_end(p);
                     continue;
                   }
                 }
                 const std::int64_t u = take_id(p, "vertex id");
                 skip_blanks(p);
                 const std::int64_t v = take_id(p, "vertex id");
                 if (weighted) {
                   skip_blanks(p);
                   bool integer = false;
                   const double w = take_weight(p, integer);
                   out.add(u, v, w, integer);
                 } else {
                   out.add(u, v);
                 }
                 expect_line_end(p);
               }
             });
  if (header.edges) {
    if (sink.edges() != *header.edges)
      in.fail_at(header.line, "the header says " + std::to_string(*header.edges) +
                                  " edges, the file holds " + std::to_string(sink.edges()));
    in.expect_ended();
  }

  if (sink.edges() == 0 && header.nodes.value_or(0) == 0)
    in.fail_at(std::max<std::int64_t>(1, in.next_line_number() - 1),
               "the graph has no edges and so no vertices");

  const std::int64_t largest = largest_id(sink);
  if (header.nodes && largest < *header.nodes) return sink.finish(*header.nodes, {});
  auto [n, names] = renumbered(sink, largest, context);
  if (header.nodes && n != *header.nodes)
    in.fail_at(header.line, "the header says " + std::to_string(*header.nodes) +
                                " nodes, the edges name " + std::to_string(n));
  return sink.finish(n, std::move(names));
}

}  // namespace gossamer::io
