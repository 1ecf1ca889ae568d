// WebGraph ASCII (.graph-txt): the first line is n, then one line of 0-based successors a vertex.
//
// http://webgraph.di.unimi.it (ASCIIGraph). A vertex without successors has a blank line.
#include "graph/io/parse_parts.hpp"
#include "graph/io/readers.hpp"

namespace gossamer::io {

graph read_webgraph(text_stream& in) {
  std::string_view line;
  if (!in.next_line(line)) in.fail_at(1, "the file is empty");
  std::int64_t n = 0;
  parse_line(in, line, [&](const char* p) {
    skip_blanks(p);
    n = take_id(p, "number of vertices");
    expect_line_end(p);
  });
  if (n == 0) in.fail_here("the graph has no vertices");

  const read_context& context = in.context();
  // The header does not say m: guess it from how dense ids are in the first block.
  const std::string_view sample = in.sample();
  if (!sample.empty()) {
    std::int64_t words = 0;
    for (std::size_t i = 0; i < sample.size(); ++i)
      words += is_digit(sample[i]) && (i + 1 == sample.size() || !is_digit(sample[i + 1]));
    const double share = static_cast<double>(words) / static_cast<double>(sample.size());
    context.settle_estimate(context.edge_plan(
        n, static_cast<std::int64_t>(share * static_cast<double>(in.estimated_text_bytes())), 0,
        true));
  }
  context.refuse_if_over(context.edge_plan(n, 0, 0, false));

  edge_sink sink(context, false, false);
  sink.expect_vertices(n);
  const std::int64_t rows =
      parse_body(in, sink, {.rows = true}, [n](const text_part& part, parsed_edges& out) {
        std::int64_t row = part.row - (part.continued ? 1 : 0);
        for (const char* p = part.begin; p < part.end; ++p, ++row) {
          skip_blanks(p);
          if (row >= n && *p != '\n')
            throw bad_text{
                p, "more lines than the " + std::to_string(n) + " vertices of the first line"};
          while (*p != '\n') {
            const char* start = p;
            const std::int64_t v = take_id(p, "successor");
            if (v >= n) [[unlikely]]
              throw bad_text{start, "successor " + std::to_string(v) + " is outside 0.." +
                                        std::to_string(n - 1)};
            out.add(row, v);
            skip_blanks(p);
          }
        }
      });
  if (rows < n)
    in.fail_at(1, "the header says " + std::to_string(n) + " vertices, the file holds lines for " +
                      std::to_string(rows));
  in.expect_ended();
  return sink.finish(n, {});
}

}  // namespace gossamer::io
