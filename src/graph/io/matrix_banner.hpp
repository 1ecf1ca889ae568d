// The first lines of a Matrix Market file, which graphs and vectors have in common.
//
// Format: NIST, https://math.nist.gov/MatrixMarket.
#pragma once

#include <cstdint>

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

/// `entries`: those listed, or rows times columns.
struct matrix_sizes {
  std::int64_t rows = 0, columns = 0, entries = 0;
};

/// Takes the lines up to the one with the sizes.
matrix_sizes read_matrix_sizes(text_stream& in, const matrix_banner& banner);

}  // namespace gossamer::io
