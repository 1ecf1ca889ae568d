// The banner and the sizes of Matrix Market files.
#include "graph/io/matrix_banner.hpp"

#include <array>
#include <cctype>
#include <string>

#include "graph/io/parse_parts.hpp"

namespace gossamer::io {

matrix_banner read_matrix_banner(text_stream& in) {
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
  matrix_banner b;
  b.array = words[2] == "array";
  if (!b.array && words[2] != "coordinate")
    in.fail_here("expected 'coordinate' or 'array' in the %%MatrixMarket line");
  if (words[3] == "pattern" && !b.array) {
    b.pattern = true;
  } else if (words[3] == "real" || words[3] == "double") {
    b.real = true;
  } else if (words[3] != "integer") {
    in.fail_here("entries of type '" + shown(words[3]) + "' are not read (real, integer" +
                 (b.array ? "" : ", pattern") + " are)");
  }
  if (words[4] == "symmetric") {
    b.shape = matrix_symmetry::symmetric;
  } else if (words[4] == "skew-symmetric" && !b.pattern) {
    b.shape = matrix_symmetry::skew;
  } else if (words[4] != "general") {
    in.fail_here("symmetry '" + shown(words[4]) +
                 "' is not read (general, symmetric, skew-symmetric are)");
  }
  return b;
}

matrix_sizes read_matrix_sizes(text_stream& in, const matrix_banner& banner) {
  std::string_view line;
  do {
    if (!in.next_line(line)) in.fail_here("the file ends before the size line");
  } while (line.empty() || line[0] == '%' ||
           line.find_first_not_of(" \t") == std::string_view::npos);
  matrix_sizes sizes;
  parse_line(in, line, [&](const char* p) {
    skip_blanks(p);
    sizes.rows = take_id(p, "number of rows");
    skip_blanks(p);
    sizes.columns = take_id(p, "number of columns");
    skip_blanks(p);
    sizes.entries =
        banner.array ? sat_mul(sizes.rows, sizes.columns) : take_id(p, "number of entries");
    expect_line_end(p);
  });
  return sizes;
}

}  // namespace gossamer::io
