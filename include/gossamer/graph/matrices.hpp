// Symmetric positive definite matrices for solvers, as generators (generators.hpp) whose weights
// are the values: built row by row straight into the CSR, in parallel, the same bytes whatever the
// number of threads.
//
//   poisson:NX[xNY[xNZ]]         the 3-, 5- or 7-point Laplacian of a grid with zero boundary:
//                                2 a dimension on the diagonal, -1 to each neighbour
//   band:ROWS:NON_ZEROS[:SEED]   exactly that many entries, as close to the diagonal as they go
//                                (one more when ROWS and NON_ZEROS differ by an odd number); values
//                                as with_values() makes them. Stands in for a matrix of which
//                                only the size is known: same work, better locality.
#pragma once

#include <cstdint>
#include <stop_token>
#include <string_view>

#include "gossamer/graph/csr.hpp"
#include "gossamer/graph/generators.hpp"

namespace gossamer {

/// generate(parse_generator(spec), options) for the specs above; usage_error for any other.
graph generate_matrix(std::string_view spec, const generate_options& options = {});

/// Positive definite values for a symmetric pattern. Entry {i, j} is -w / 256 with w = 1..255 by a
/// symmetric hash of (i, j, seed). The diagonal, which must be stored, is one to two more than the
/// sum of its row's others in magnitude, so the matrix is strictly diagonally dominant. input_error
/// when the pattern is not symmetric, lacks a diagonal entry or stores one twice. `threads` 0 = all
/// cores; cancelled_error soon after a stop is requested.
graph with_values(const graph& pattern, std::uint64_t seed = 1, int threads = 0,
                  const std::stop_token& stop = {});

}  // namespace gossamer
