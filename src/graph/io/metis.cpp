// METIS graphs: "n m [fmt [ncon]]", then line v holds the neighbours of vertex v, 1-based.
//
// fmt is up to three digits: vertex sizes, vertex weights, edge weights. Edge weights are read;
// sizes and the ncon vertex weights are checked and skipped. Every edge is listed at both ends, so
// the lines hold 2 m ids; a file where an edge stands at one end only is refused, unless it is to
// be symmetrized. Lines starting with % are comments; a blank line is an isolated vertex.
#include <algorithm>
#include <mutex>
#include <utility>

#include "graph/arc_keys.hpp"
#include "graph/io/parse_parts.hpp"
#include "graph/io/readers.hpp"

namespace gossamer::io {
namespace {

struct metis_header {
  std::int64_t n = 0, m = 0, skipped = 0;
  bool weights = false;
};

metis_header parse_header(text_stream& in) {
  std::string_view line;
  do {
    if (!in.next_line(line))
      in.fail_at(std::max<std::int64_t>(1, in.next_line_number() - 1),
                 "the file ends before the header 'n m [fmt [ncon]]'");
  } while (!line.empty() && line[0] == '%');
  metis_header h;
  parse_line(in, line, [&](const char* p) {
    skip_blanks(p);
    h.n = take_id(p, "number of vertices");
    skip_blanks(p);
    h.m = take_id(p, "number of edges");
    skip_blanks(p);
    std::int64_t ncon = 0;
    std::string fmt;
    if (*p != '\n') {
      const char* start = p;
      take_id(p, "format code");
      fmt.assign(start, p);
      skip_blanks(p);
      if (fmt.size() > 3 || fmt.find_first_not_of("01") != std::string::npos)
        throw bad_text{start, "format code " + quoted_word(start) +
                                  " is unknown (three digits of 0 or 1 at most)"};
      if (*p != '\n') {
        const char* at = p;
        ncon = take_id(p, "number of vertex weights");
        if (ncon > 1000000) throw bad_text{at, "too many vertex weights"};
      }
    }
    expect_line_end(p);
    fmt.insert(0, 3 - fmt.size(), '0');
    h.weights = fmt[2] == '1';
    if (fmt[1] == '1') h.skipped = std::max<std::int64_t>(1, ncon);
    if (fmt[1] == '0' && ncon > 0)
      throw bad_text{p, "the header counts vertex weights that its format code leaves out"};
    h.skipped += fmt[0] == '1';
  });
  if (h.n == 0) in.fail_here("the graph has no vertices");
  return h;
}

/// What a row's line has said so far.
struct open_row {
  bool comment = false;             ///< it is no row
  std::int64_t vertex_weights = 0;  ///< how many have been skipped
  std::int64_t neighbour = -1;      ///< from 0; its weight comes next
};

void take_word(const char*& p, const metis_header& h, std::int64_t row, open_row& at,
               parsed_edges& out) {
  const char* start = p;
  if (at.vertex_weights < h.skipped) {
    take_id(p, "vertex weight");
    ++at.vertex_weights;
  } else if (at.neighbour < 0) {
    const std::int64_t v = take_id(p, "neighbour");
    if (v < 1 || v > h.n) [[unlikely]]
      throw bad_text{start,
                     "neighbour " + std::to_string(v) + " is outside 1.." + std::to_string(h.n)};
    if (h.weights)
      at.neighbour = v - 1;
    else
      out.add(row, v - 1);
  } else {
    bool integer = false;
    const double w = take_weight(p, integer);
    if (!integer || w < 0) throw bad_text{start, "edge weights must be integers from 0"};
    out.add(row, std::exchange(at.neighbour, -1), w, true);
  }
}

/// Comments between the rows, for the line of a row: how many rows were before each.
class comment_rows {
 public:
  void add(std::int64_t row) {
    const std::scoped_lock lock(guard_);
    rows_.push_back(row);
  }
  [[nodiscard]] std::int64_t up_to(std::int64_t row) const {
    return std::count_if(rows_.begin(), rows_.end(), [row](std::int64_t r) { return r <= row; });
  }

 private:
  std::mutex guard_;  // parts are parsed at the same time
  std::vector<std::int64_t> rows_;
};

/// How often row u, which is sorted, holds v with the weight of arc `like`.
template <class Id, class Weight>
std::int64_t times_listed(const csr_view<Id>& rows, const Weight* weights, std::int64_t u,
                          std::int64_t v, edge_offset like) {
  const auto row = rows.row(u);
  const auto [first, last] = std::equal_range(row.begin(), row.end(), static_cast<Id>(v));
  if constexpr (std::is_same_v<Weight, std::monostate>) {
    return last - first;
  } else {
    const Weight* at = weights + rows.offsets[u];
    return std::count_if(at + (first - row.begin()), at + (last - row.begin()), [&](Weight w) {
      return detail::ordered_bits(w) == detail::ordered_bits(weights[like]);
    });
  }
}

struct arc_ends {
  std::int64_t from = -1, to = -1;
};

/// The first arc that its target's row does not list as often, with the same weight.
arc_ends first_one_sided(const graph& g) {
  return g.visit([&](const auto& rows) {
    return std::visit(
        [&]<class Weights>(const Weights& array) {
          const auto search = [&](const auto* weights) -> arc_ends {
            for (std::int64_t u = 0; u < rows.vertices(); ++u)
              for (edge_offset i = rows.offsets[u]; i < rows.offsets[u + 1]; ++i) {
                const std::int64_t v = rows.indices[i];
                // The end that lists the edge more often is the one whose mirror is missing.
                if (times_listed(rows, weights, u, v, i) > times_listed(rows, weights, v, u, i))
                  return {u, v};
              }
            return {};
          };
          if constexpr (std::is_same_v<Weights, std::monostate>)
            return search(static_cast<const std::monostate*>(nullptr));
          else
            return search(array.data());
        },
        g.weights);
  });
}

}  // namespace

graph read_metis(text_stream& in) {
  const metis_header h = parse_header(in);
  const std::int64_t header_line = in.next_line_number() - 1;
  const read_context& context = in.context();
  read_plan plan = context.edge_plan(h.n, sat_mul(h.m, 2), h.weights ? 4 : 0, false);
  plan.symmetric = true;
  context.settle(plan);

  edge_sink sink(context, h.weights, false);
  sink.expect_vertices(h.n);
  comment_rows comments;
  open_row open;  // parts that go on with a row are parsed after all of the block before
  auto parse = [&h, &comments, &open](const text_part& part, parsed_edges& out) {
    open_row at;
    if (part.continued) at = open;
    bool begins = !part.continued;
    std::int64_t row = part.row - (begins || at.comment ? 0 : 1);
    for (const char* p = part.begin; p < part.end; ++p, begins = true) {
      if (begins) at = {};
      if (begins && *p == '%') {
        comments.add(row);
        at.comment = true;
      }
      if (at.comment) {
        p = line_end(p);
        continue;
      }
      skip_blanks(p);
      if (row >= h.n) {
        // Blank lines after the last vertex are forgiven.
        if (*p != '\n')
          throw bad_text{p,
                         "more lines than the " + std::to_string(h.n) + " vertices of the header"};
        continue;
      }
      if (begins && *p == '\n' && h.skipped > 0)
        throw bad_text{p, "the vertex weights are missing"};
      while (*p != '\n') {
        take_word(p, h, row, at, out);
        skip_blanks(p);
      }
      if (part.cut && p + 1 == part.end) break;
      // Complains that the line ends.
      if (at.vertex_weights < h.skipped || at.neighbour >= 0) take_word(p, h, row, at, out);
      ++row;
    }
    if (part.cut) open = at;
  };
  const std::int64_t rows =
      parse_body(in, sink, {.weighted = h.weights, .rows = true, .comment = '%'}, parse);
  if (rows < h.n)
    in.fail_at(header_line, "the header says " + std::to_string(h.n) +
                                " vertices, the file holds lines for " + std::to_string(rows));
  if (sink.edges() % 2 != 0 || sink.edges() / 2 != h.m)
    in.fail_at(header_line, "the header says " + std::to_string(h.m) +
                                " edges (twice as many ids), the file holds " +
                                std::to_string(sink.edges()) + " ids");
  in.expect_ended();
  vertex_names names;
  names.base = 1;
  graph g = sink.finish(h.n, std::move(names));
  if (g.symmetric) return g;
  const arc_ends bad = first_one_sided(g);
  if (bad.from < 0) return g;
  const auto line = [&](std::int64_t v) { return header_line + 1 + v + comments.up_to(v); };
  in.fail_at(line(bad.from), "vertex " + std::to_string(bad.from + 1) + " has neighbour " +
                                 std::to_string(bad.to + 1) + ", whose line " +
                                 std::to_string(line(bad.to)) +
                                 " does not list it alike: METIS graphs are undirected");
}

}  // namespace gossamer::io
