// SNAP edge lists: "u v" or "u v weight" a line, comments with # or %, any non-negative ids.
//
// Ids need not be dense: the distinct ones are renumbered in ascending order and the map is kept.
// When they are exactly 0..n-1 there is no map. The counts in a comment "# Nodes: N Edges: M" are
// checked, since they are all that tells a truncated file from a whole one; when every id is below
// N, the ids stand as they are and those that no edge names are isolated vertices.
#include <algorithm>
#include <bit>
#include <optional>

#include "graph/io/parse_parts.hpp"
#include "graph/io/readers.hpp"

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

/// Ids are renumbered by a bitmap of all up to the largest, with a running count a word, when that
/// is smaller than the ids themselves (24 bits for every 64 ids); else by sorting them.
bool by_bitmap(std::int64_t largest, std::int64_t edges) {
  return (largest / 64 + 1) / 2 <= 2 * edges + 1024;
}

/// At the peak of renumbering: the edges with ids as the file has them, and what finds their
/// places, but for `vertices` ids in ascending order.
std::int64_t renumbering_bytes(std::int64_t largest, std::int64_t edges, int weight_bytes) {
  const std::int64_t each = (configuration::narrow_ids(largest) ? 8 : 16) + weight_bytes;
  const std::int64_t places =
      by_bitmap(largest, edges) ? (largest / 64 + 2) * 16 : sat_mul(edges, 16);
  return sat_add(sat_mul(edges, each), places);
}

/// Distinct ids in ascending order, and each edge renumbered to its place among them.
class renumbering {
 public:
  renumbering(edge_sink& sink, std::int64_t largest, const read_context& context)
      : sink_(sink), largest_(largest), context_(context) {
    require_room(0);
    if (by_bitmap(largest, sink.edges()))
      in_a_bitmap(static_cast<std::size_t>(largest / 64 + 1));
    else
      by_sorting();
  }
  shared_array<std::int64_t> ids;  ///< none when they are 0 to the largest, each of them

 private:
  /// Refuses before memory is taken: for the places, then for `vertices` ids.
  void require_room(std::int64_t vertices) const {
    read_plan plan = context_.edge_plan(1, sink_.edges(), sink_.weight_bytes(), false);
    plan.vertices = vertices;
    plan.items = {{"renumbering", renumbering_bytes(largest_, sink_.edges(), sink_.weight_bytes())},
                  {"vertex names", sat_mul(vertices, 8)}};
    context_.refuse_if_over(plan);
  }
  void take_ids(std::size_t vertices) {
    require_room(static_cast<std::int64_t>(vertices));
    ids = shared_array<std::int64_t>(vertices);
  }
  void in_a_bitmap(std::size_t words) {
    std::vector<std::uint64_t> bits(words, 0);
    sink_.for_each([&](auto& e) {
      bits[static_cast<std::size_t>(e.source) / 64] |= std::uint64_t{1} << (e.source % 64);
      bits[static_cast<std::size_t>(e.target) / 64] |= std::uint64_t{1} << (e.target % 64);
    });
    std::vector<std::int64_t> before(words + 1, 0);
    for (std::size_t w = 0; w < words; ++w) before[w + 1] = before[w] + std::popcount(bits[w]);
    if (before[words] == largest_ + 1) return;
    take_ids(static_cast<std::size_t>(before[words]));
    std::size_t k = 0;
    for (std::size_t w = 0; w < words; ++w)
      for (std::uint64_t b = bits[w]; b != 0; b &= b - 1)
        ids[k++] = static_cast<std::int64_t>(w * 64) + std::countr_zero(b);
    auto place = [&](std::int64_t id) {
      const auto w = static_cast<std::size_t>(id) / 64;
      const std::uint64_t below = bits[w] & ((std::uint64_t{1} << (id % 64)) - 1);
      return before[w] + std::popcount(below);
    };
    renumber(place);
  }
  void by_sorting() {
    std::vector<std::int64_t> all;
    all.reserve(static_cast<std::size_t>(2 * sink_.edges()));
    sink_.for_each([&](auto& e) {
      all.push_back(e.source);
      all.push_back(e.target);
    });
    // Sorting has no blocks to stop between, but it may be left by an exception of its comparison.
    auto watch = context_.watch();
    std::sort(all.begin(), all.end(), [&watch](std::int64_t a, std::int64_t b) {
      watch.step();
      return a < b;
    });
    all.erase(std::unique(all.begin(), all.end()), all.end());
    take_ids(all.size());
    std::copy(all.begin(), all.end(), ids.data());
    renumber([&](std::int64_t id) {
      return std::lower_bound(ids.begin(), ids.end(), id) - ids.begin();
    });
  }
  template <class F>
  void renumber(F&& place) {
    sink_.for_each([&](auto& e) {
      e.source = static_cast<decltype(e.source)>(place(e.source));
      e.target = static_cast<decltype(e.target)>(place(e.target));
    });
  }
  edge_sink& sink_;
  const std::int64_t largest_;
  const read_context& context_;
};

/// The plan for `edges` with ids up to `largest`, of which `nodes` says how many there are.
read_plan plan_list(const read_context& context, std::int64_t edges, std::int64_t largest,
                    int weight_bytes, std::optional<std::int64_t> nodes) {
  const std::int64_t named = std::min(sat_mul(edges, 2), sat_add(largest, 1));
  read_plan plan = context.edge_plan(nodes.value_or(named), edges, weight_bytes, true);
  if (!nodes) plan.vertices = 0;  // a guess that no more is made of
  if (nodes && largest < *nodes) return plan;
  const std::int64_t names = sat_mul(named, 8);
  const std::int64_t most = sat_add(renumbering_bytes(largest, edges, weight_bytes), names);
  if (named <= largest) plan.items.push_back({"vertex names", names});
  if (const std::int64_t planned = plan.total(); most > planned)
    plan.items.push_back({"renumbering, beyond these", most - planned});
  return plan;
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
  read_plan plan = plan_list(context, header.edges.value_or(guess), seen.largest,
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

  std::int64_t largest = 0;
  sink.for_each([&](auto& e) { largest = std::max<std::int64_t>({largest, e.source, e.target}); });
  if (header.nodes && largest < *header.nodes) return sink.finish(*header.nodes, {});
  vertex_names names;
  names.map = renumbering(sink, largest, context).ids;
  const std::int64_t n =
      names.map.empty() ? largest + 1 : static_cast<std::int64_t>(names.map.size());
  if (header.nodes && n != *header.nodes)
    in.fail_at(header.line, "the header says " + std::to_string(*header.nodes) +
                                " nodes, the edges name " + std::to_string(n));
  if (id_bytes(n) == 4) sink.narrow_ids();
  return sink.finish(n, std::move(names));
}

}  // namespace gossamer::io
