// The writers, one file each, all into an atomic_file.
#pragma once

#include <string>

#include "gossamer/graph/csr.hpp"
#include "graph/io/atomic_file.hpp"

namespace gossamer::io {

void write_matrix_market(const graph& g, atomic_file& out);
/// Returns the text for FILE.metadata, empty when none is needed.
std::string write_galois(const graph& g, atomic_file& out);
void write_npz(const graph& g, atomic_file& out);
void write_gossamer(const graph& g, atomic_file& out);

}  // namespace gossamer::io
