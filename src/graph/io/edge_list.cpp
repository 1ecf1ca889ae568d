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

// Distinct ids in ascending order, and each edge renumbered to its place among them.
//
// A bitmap of all ids up to the largest, with a running count per 64-bit word, when that is
// smaller than the ids themselves (24 bits for every 64 ids); else sorting.
class renumbering {
 public:
  renumbering(edge_sink& sink, std::int64_t largest, const read_context& context)
      : sink_(sink), context_(context) {
    const std::int64_t words = largest / 64 + 1;
    if (words / 2 <= 2 * sink.edges() + 1024) {
      by_bitmap(static_cast<std::size_t>(words));
    } else {
      by_sorting();
    }
  }
  shared_array<std::int64_t> ids;

 private:
  void by_bitmap(std::size_t words) {
    std::vector<std::uint64_t> bits(words, 0);
    sink_.for_each([&](auto& e) {
      bits[static_cast<std::size_t>(e.source) / 64] |= std::uint64_t{1} << (e.source % 64);
      bits[static_cast<std::size_t>(e.target) / 64] |= std::uint64_t{1} << (e.target % 64);
    });
    std::vector<std::int64_t> before(words + 1, 0);
    for (std::size_t w = 0; w < words; ++w) before[w + 1] = before[w] + std::popcount(bits[w]);
    ids = shared_array<std::int64_t>(static_cast<std::size_t>(before[words]));
    std::size_t k = 0;
    for (std::size_t w = 0; w < words; ++w)
      for (std::uint64_t b = bits[w]; b != 0; b &= b - 1)
        ids[k++] = static_cast<std::int64_t>(w * 64) + std::countr_zero(b);
    if (ids.size() == words * 64 || ids[k - 1] == static_cast<std::int64_t>(k) - 1) return;
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
    ids = shared_array<std::int64_t>(all.size());
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
  const read_context& context_;
};

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
  const double lines = static_cast<double>(std::count(sample.begin(), sample.end(), '\n'));
  const auto guess =
      static_cast<std::int64_t>(std::max(1.0, lines) / static_cast<double>(sample.size()) *
                                static_cast<double>(in.estimated_text_bytes()));
  context.settle_estimate(context.edge_plan(header.nodes.value_or(0), header.edges.value_or(guess),
                                            weighted ? 4 : 0, !header.edges));

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
  // Renumbering needs its own memory beside the edges: at worst all ids, sorted.
  read_plan plan = context.edge_plan(1, sink.edges(), sink.weight_bytes(), false);
  plan.items.push_back({"renumbering", std::min(sat_mul(sink.edges(), 16), largest / 4 + 64)});
  context.refuse_if_over(plan);
  renumbering dense(sink, largest, context);
  const auto n = static_cast<std::int64_t>(dense.ids.size());
  if (header.nodes && n != *header.nodes)
    in.fail_at(header.line, "the header says " + std::to_string(*header.nodes) +
                                " nodes, the edges name " + std::to_string(n));
  vertex_names names;
  if (largest != n - 1) names.map = dense.ids;
  if (id_bytes(n) == 4) sink.narrow_ids();
  return sink.finish(n, std::move(names));
}

}  // namespace gossamer::io
