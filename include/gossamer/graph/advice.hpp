// What a graph's file advises programs to do with it: settings that came beside it.
#pragma once

#include <optional>
#include <string>

#include "gossamer/graph/csr.hpp"

namespace gossamer {

/// The width of windows of distances that the metadata beside a Galois file names (`prio_delta`,
/// Groute's word, or `delta`). It is positive, in the unit of the file's weights. It goes with the
/// graph through its transformations, and into files of Gossamer's and Galois's. Nothing where none
/// is named, or where the weights are not the file's.
std::optional<double> advised_delta(const graph& g);

/// The entry of graph::steps for a line of the metadata.
std::string metadata_step(const std::string& key, const std::string& value);

}  // namespace gossamer
