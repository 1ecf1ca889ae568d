// Matrix Market coordinate files: a matrix entry (i, j) is the arc i -> j, 1-based.
//
// real|integer|pattern, general|symmetric|skew-symmetric. Entries of a symmetric file off the
// diagonal become two arcs; stored zeros stay arcs (an entry is an entry). "real" weights stay
// doubles even if all of them are whole. Format: NIST, https://math.nist.gov/MatrixMarket.
#include <atomic>

#include "graph/io/matrix_banner.hpp"
#include "graph/io/parse_parts.hpp"
#include "graph/io/readers.hpp"

namespace gossamer::io {
graph read_matrix_market(text_stream& in) {
  const matrix_banner b = read_matrix_banner(in);
  if (b.array) in.fail_here("a dense 'array' matrix is not a graph");
  const matrix_sizes sizes = read_matrix_sizes(in, b);
  const std::int64_t n = sizes.rows, entries = sizes.entries;
  if (n != sizes.columns)
    in.fail_here("a graph needs a square matrix, this one is " + std::to_string(n) + " x " +
                 std::to_string(sizes.columns));
  if (n == 0) in.fail_here("the graph has no vertices");
  const std::int64_t size_line = in.next_line_number() - 1;
  const read_context& context = in.context();
  const bool mirrored = b.shape != matrix_symmetry::general;
  const int weight_bytes = b.pattern ? 0 : (b.real ? 8 : 4);
  context.settle(
      context.edge_plan(n, mirrored ? sat_mul(entries, 2) : entries, weight_bytes, mirrored));

  edge_sink sink(context, !b.pattern, b.real);
  sink.expect_vertices(n);
  std::atomic<std::int64_t> diagonal = 0;
  auto parse = [&](const text_part& part, parsed_edges& out) {
    std::int64_t on_diagonal = 0;
    for (const char* p = part.begin; p < part.end; ++p) {
      if (*p == '%') {
        p = line_end(p);
        continue;
      }
      skip_blanks(p);
      if (*p == '\n') continue;
      const char* start = p;
      const std::int64_t i = take_id(p, "row");
      skip_blanks(p);
      const std::int64_t j = take_id(p, "column");
      if (i < 1 || i > n || j < 1 || j > n) [[unlikely]]
        throw bad_text{start, "entry (" + std::to_string(i) + ", " + std::to_string(j) +
                                  ") is outside 1.." + std::to_string(n)};
      on_diagonal += i == j;
      if (b.pattern) {
        out.add(i - 1, j - 1);
        if (mirrored && i != j) out.add(j - 1, i - 1);
      } else {
        skip_blanks(p);
        bool integer = false;
        const double w = take_weight(p, integer);
        if (!b.real && !integer) [[unlikely]]
          throw bad_text{p, "an 'integer' matrix holds a weight that is not an integer"};
        out.add(i - 1, j - 1, w, integer);
        if (mirrored && i != j)
          out.add(j - 1, i - 1, b.shape == matrix_symmetry::skew ? -w : w, integer);
        if (b.shape == matrix_symmetry::skew && i == j && w != 0) [[unlikely]]
          throw bad_text{start, "a skew-symmetric matrix has a non-zero on its diagonal"};
      }
      expect_line_end(p);
    }
    diagonal.fetch_add(on_diagonal, std::memory_order_relaxed);
  };
  parse_body(in, sink, {.weighted = !b.pattern}, parse);
  const std::int64_t found = mirrored ? diagonal + (sink.edges() - diagonal) / 2 : sink.edges();
  if (found != entries)
    in.fail_at(size_line, "the header says " + std::to_string(entries) +
                              " entries, the file holds " + std::to_string(found));
  in.expect_ended();
  vertex_names names;
  names.base = 1;
  return sink.finish(n, std::move(names));
}

}  // namespace gossamer::io
