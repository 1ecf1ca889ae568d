// Symmetric positive definite matrices from a one-line spec, for solvers: built row by row straight
// into the CSR, in parallel, the same bytes whatever the number of threads.
//
//   poisson:NX[xNY[xNZ]]         the 3-, 5- or 7-point Laplacian of a grid with zero boundary:
//                                2 a dimension on the diagonal, -1 to each neighbour
//   band:ROWS:NON_ZEROS[:SEED]   exactly that many entries, as close to the diagonal as they go
//                                (one more when ROWS and NON_ZEROS differ by an odd number); values
//                                as with_values() makes them. Stands in for a matrix of which
//                                only the size is known: same work, better locality.
#pragma once

#include <cstdint>
#include <string_view>

#include "gossamer/graph/csr.hpp"

namespace gossamer {

/// True when the text begins with a matrix generator's name and a colon.
bool is_matrix_generator(std::string_view text);
/// Makes the matrix. usage_error with an example when the spec is malformed or out of range,
/// capacity_error when it takes more than the memory limit (`memory` bytes; 0 = the host's).
graph generate_matrix(std::string_view spec, std::int64_t memory = 0);

/// Positive definite values for a symmetric pattern: entry {i, j} is -w / 256 with w = 1..255 by a
/// symmetric hash of (i, j, seed), and the diagonal (which must be stored) is one more than the
/// sum of its row's others in magnitude, so that the matrix is strictly diagonally dominant.
/// input_error when the pattern is not symmetric, lacks a diagonal entry or stores one twice.
graph with_values(const graph& pattern, std::uint64_t seed = 1);

}  // namespace gossamer
