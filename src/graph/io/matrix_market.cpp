// Matrix Market coordinate files: a matrix entry (i, j) is the arc i -> j, 1-based.
//
// real|integer|pattern, general|symmetric|skew-symmetric. Entries of a symmetric file off the
// diagonal become two arcs; stored zeros stay arcs (an entry is an entry). "real" weights stay
// doubles even if all of them are whole. Format: NIST, https://math.nist.gov/MatrixMarket.
#include <algorithm>
#include <array>
#include <cctype>

#include "graph/io/parse_parts.hpp"
#include "graph/io/readers.hpp"

namespace gossamer::io {
namespace {

enum class symmetry { general, symmetric, skew };

struct banner {
  bool pattern = false, real = false;
  symmetry shape = symmetry::general;
};

banner parse_banner(text_stream& in) {
  std::string_view line;
  if (!in.next_line(line)) in.fail_at(1, "the file is empty");
  std::array<std::string, 5> words;
  std::size_t count = 0;
  for (std::size_t i = 0; i < line.size();) {
    while (i < line.size() && is_blank(line[i])) ++i;
    std::string word;
    for (; i < line.size() && !is_blank(line[i]); ++i)
      word += static_cast<char>(std::tolower(static_cast<unsigned char>(line[i])));
    if (word.empty()) break;
    if (count == words.size()) in.fail_here("too many words in the %%MatrixMarket line");
    words[count++] = word;
  }
  if (count == 0 || words[0] != "%%matrixmarket")
    in.fail_here("not a Matrix Market file: the first line must start with %%MatrixMarket");
  if (words[1] != "matrix") in.fail_here("expected 'matrix' in the %%MatrixMarket line");
  if (words[2] == "array") in.fail_here("a dense 'array' matrix is not a graph");
  if (words[2] != "coordinate") in.fail_here("expected 'coordinate' in the %%MatrixMarket line");
  banner b;
  if (words[3] == "pattern") {
    b.pattern = true;
  } else if (words[3] == "real" || words[3] == "double") {
    b.real = true;
  } else if (words[3] != "integer") {
    in.fail_here("entries of type '" + words[3].substr(0, 32) +
                 "' are not read (real, integer, pattern are)");
  }
  if (words[4] == "symmetric") {
    b.shape = symmetry::symmetric;
  } else if (words[4] == "skew-symmetric" && !b.pattern) {
    b.shape = symmetry::skew;
  } else if (words[4] != "general") {
    in.fail_here("symmetry '" + words[4].substr(0, 32) +
                 "' is not read (general, symmetric, skew-symmetric are)");
  }
  return b;
}

}  // namespace

graph read_matrix_market(text_stream& in) {
  const banner b = parse_banner(in);
  std::string_view line;
  do {
    if (!in.next_line(line)) in.fail_here("the file ends before the size line");
  } while (line.empty() || line[0] == '%' ||
           line.find_first_not_of(" \t") == std::string_view::npos);
  std::int64_t n = 0, columns = 0, entries = 0;
  try {
    const char* p = line.data();
    skip_blanks(p);
    n = take_id(p, "number of rows");
    skip_blanks(p);
    columns = take_id(p, "number of columns");
    skip_blanks(p);
    entries = take_id(p, "number of entries");
    expect_line_end(p);
  } catch (const bad_text& e) {
    in.fail_here(e.message);
  }
  if (n != columns)
    in.fail_here("a graph needs a square matrix, this one is " + std::to_string(n) + " x " +
                 std::to_string(columns));
  if (n == 0) in.fail_here("the graph has no vertices");
  const std::int64_t size_line = in.next_line_number() - 1;
  const read_context& context = in.context();
  const bool mirrored = b.shape != symmetry::general;
  const int weight_bytes = b.pattern ? 0 : (b.real ? 8 : 4);
  context.settle(
      context.edge_plan(n, mirrored ? sat_mul(entries, 2) : entries, weight_bytes, mirrored));

  edge_sink sink(context, !b.pattern, b.real);
  sink.expect_vertices(n);
  std::int64_t diagonal = 0;
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
        if (mirrored && i != j) out.add(j - 1, i - 1, b.shape == symmetry::skew ? -w : w, integer);
        if (b.shape == symmetry::skew && i == j && w != 0) [[unlikely]]
          throw bad_text{start, "a skew-symmetric matrix has a non-zero on its diagonal"};
      }
      expect_line_end(p);
    }
#pragma omp atomic
    diagonal += on_diagonal;
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
