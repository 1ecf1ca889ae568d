// The writers, one file each, all into an output_file.
#pragma once

#include <string>

#include "gossamer/base/output_file.hpp"
#include "gossamer/graph/csr.hpp"

namespace gossamer::io {

void write_matrix_market(const graph& g, output_file& out);
/// Returns the text for FILE.metadata, empty when none is needed.
std::string write_galois(const graph& g, output_file& out);
void write_npz(const graph& g, output_file& out);
void write_gossamer(const graph& g, output_file& out);

}  // namespace gossamer::io
