// The first lines of a Matrix Market file, which graphs and vectors have in common.
//
// Format: NIST, https://math.nist.gov/MatrixMarket.
#pragma once

#include <string_view>

#include "graph/io/text_stream.hpp"

namespace gossamer::io {

enum class matrix_symmetry { general, symmetric, skew };

/// What the line "%%MatrixMarket matrix …" says.
struct matrix_banner {
  bool array = false;  ///< all entries, else "coordinate": those that are listed
  bool pattern = false, real = false;
  matrix_symmetry shape = matrix_symmetry::general;
};

/// Takes the first line; input_error for what is not read (complex entries, say).
matrix_banner read_matrix_banner(text_stream& in);

/// Takes the lines up to the one with the sizes, and returns that; its view ends with '\n'.
std::string_view matrix_size_line(text_stream& in);

}  // namespace gossamer::io
