// The rows of a matrix generator, for generate(), which has checked the memory they take.
#pragma once

#include "gossamer/graph/generators.hpp"

namespace gossamer::detail {

/// `spec.matrix()` must hold. Weights are the values; steps and name are left to the caller.
graph make_matrix(const generator_spec& spec, const generate_options& options);

}  // namespace gossamer::detail
