// DIMACS-9 shortest-path graphs: "c" comments, one "p sp n m", m lines "a u v w", 1-based.
//
// http://www.diag.uniroma1.it/challenge9/format.shtml. Weights may be negative in the format; an
// algorithm that cannot take them says so itself.
#include "graph/io/parse_parts.hpp"
#include "graph/io/readers.hpp"

namespace gossamer::io {

graph read_dimacs(text_stream& in) {
  std::string_view line;
  bool found = false;
  while (!found && in.next_line(line)) {
    if (line.empty() || line[0] == 'c') continue;
    if (line[0] != 'p')
      in.fail_here("not a DIMACS graph: expected 'c' comments and a line 'p sp n m', found " +
                   quoted_word(line.data()));
    found = true;
  }
  if (!found)
    in.fail_at(std::max<std::int64_t>(1, in.next_line_number() - 1),
               "the file ends before the line 'p sp n m'");
  std::int64_t n = 0, arcs = 0;
  parse_line(in, line, [&](const char* p) {
    skip_blanks(++p);
    if (p[0] != 's' || p[1] != 'p' || !is_blank(p[2]))
      throw bad_text{p, "expected 'p sp n m', found problem " + quoted_word(p)};
    p += 2;
    skip_blanks(p);
    n = take_id(p, "number of vertices");
    skip_blanks(p);
    arcs = take_id(p, "number of arcs");
    expect_line_end(p);
  });
  if (n == 0) in.fail_here("the graph has no vertices");
  const std::int64_t problem_line = in.next_line_number() - 1;
  const read_context& context = in.context();
  context.settle(context.edge_plan(n, arcs, 4, false));

  edge_sink sink(context, true, false);
  sink.expect_vertices(n);
  parse_body(in, sink, {.weighted = true}, [n](const text_part& part, parsed_edges& out) {
    for (const char* p = part.begin; p < part.end; ++p) {
      if (*p == 'a' && is_blank(p[1])) [[likely]] {
        const char* start = p;
        ++p;
        skip_blanks(p);
        const std::int64_t u = take_id(p, "vertex id");
        skip_blanks(p);
        const std::int64_t v = take_id(p, "vertex id");
        if (u < 1 || u > n || v < 1 || v > n) [[unlikely]]
          throw bad_text{start, "vertex id " + std::to_string(u < 1 || u > n ? u : v) +
                                    " is outside 1.." + std::to_string(n)};
        skip_blanks(p);
        bool integer = false;
        const double w = take_weight(p, integer);
        out.add(u - 1, v - 1, w, integer);
        expect_line_end(p);
      } else if (*p == 'c') {
        p = line_end(p);
      } else if (*p == 'p') {
        throw bad_text{p, "a second 'p' line"};
      } else {
        skip_blanks(p);
        if (*p != '\n') throw bad_text{p, "expected 'a u v w', found " + quoted_word(p)};
      }
    }
  });
  if (sink.edges() != arcs)
    in.fail_at(problem_line, "the header says " + std::to_string(arcs) + " arcs, the file holds " +
                                 std::to_string(sink.edges()));
  in.expect_ended();
  vertex_names names;
  names.base = 1;
  return sink.finish(n, std::move(names));
}

}  // namespace gossamer::io
